select job, dependency, unmet, child, place, outcome, fatal
from headgate_edge
where job in (select value from json_each(:jobs))
order by job, place, dependency
