update headgate_edge
set outcome = null,
    fatal = 0
from jsonb_each(:rows) r
where headgate_edge.job = r.value ->> 'job' and headgate_edge.dependency = r.value ->> 'dependency'
