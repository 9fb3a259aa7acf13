select job, dependency, unmet, child, place, outcome, fatal
from headgate_edge
where job = any(:jobs::bigint[])
order by job, place, dependency
