select job, dependency, unmet, child, place, outcome, fatal
from headgate_edge
where dependency = any(:dependencies::bigint[]) and fatal = 1
order by dependency, job
limit :limit
