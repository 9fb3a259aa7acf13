select schedule, at, job, fired_at
from headgate_schedule_run
where job = :job
order by fired_at desc, at desc
limit 1
