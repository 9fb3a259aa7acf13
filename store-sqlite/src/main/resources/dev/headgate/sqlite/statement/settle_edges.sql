update headgate_edge
set outcome = coalesce((select h.state from headgate_history h where h.id = headgate_edge.dependency), 'DELETED')
from (
    select job, dependency
    from headgate_edge
    where dependency in (select value from json_each(:dependencies)) and outcome is null
    order by dependency, job
    limit :limit
) o
where headgate_edge.job = o.job and headgate_edge.dependency = o.dependency
returning job, dependency, unmet, child, place, outcome, fatal
