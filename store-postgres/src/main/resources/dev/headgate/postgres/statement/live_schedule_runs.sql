select r.schedule, r.at, r.job, r.fired_at
from headgate_schedule_run r
join headgate_job j on j.id = r.job
where r.schedule = any(:names::text[])
order by r.schedule, r.at
