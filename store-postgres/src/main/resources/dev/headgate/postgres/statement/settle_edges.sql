update headgate_edge as e
set outcome = coalesce((select h.state from headgate_history h where h.id = e.dependency), 'DELETED')
from (
    select job, dependency
    from headgate_edge
    where dependency = any(:dependencies::bigint[]) and outcome is null
    order by dependency, job
    limit :limit
) o
where e.job = o.job and e.dependency = o.dependency and e.outcome is null
returning e.job, e.dependency, e.unmet, e.child, e.place, e.outcome, e.fatal
