insert into headgate_edge (job, dependency, unmet, child, place)
select
    r.value ->> 'job',
    r.value ->> 'dependency',
    r.value ->> 'unmet',
    r.value ->> 'child',
    r.value ->> 'place'
from jsonb_each(:rows) r
