insert into headgate_edge (job, dependency, unmet, child, place)
select job, dependency, unmet, child, place
from unnest(:job::bigint[], :dependency::bigint[], :unmet::text[], :child::bigint[], :place::bigint[])
    as e (job, dependency, unmet, child, place)
