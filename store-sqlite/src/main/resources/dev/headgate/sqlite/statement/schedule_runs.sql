select schedule, at, job, fired_at
from headgate_schedule_run
where schedule = :name
order by at desc
limit :limit
