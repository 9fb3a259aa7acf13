-- A subquery by primary key, not a join: runs are old and jobs are new, and a merge of both was taken for short.
select r.schedule, r.at, r.job, r.fired_at
from headgate_schedule_run r
where r.schedule = any(:names::text[]) and (select j.id from headgate_job j where j.id = r.job) is not null
order by r.schedule, r.at
