select job, dependency, unmet, child, place, outcome, fatal
from headgate_edge
where dependency in (select value from json_each(:dependencies)) and fatal = 1
order by dependency, job
limit :limit
