insert into headgate_schedule_run (schedule, at, job, fired_at)
select schedule, at, job, fired_at
from unnest(:schedule::text[], :at::bigint[], :job::bigint[], :fired_at::bigint[]) as r (schedule, at, job, fired_at)
