update headgate_edge as e
set outcome = null,
    fatal = 0
from unnest(:job::bigint[], :dependency::bigint[]) as r (job, dependency)
where e.job = r.job and e.dependency = r.dependency
