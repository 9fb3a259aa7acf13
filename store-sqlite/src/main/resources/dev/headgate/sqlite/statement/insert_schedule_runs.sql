insert into headgate_schedule_run (schedule, at, job, fired_at)
select
    r.value ->> 'schedule',
    r.value ->> 'at',
    r.value ->> 'job',
    r.value ->> 'fired_at'
from jsonb_each(:rows) r
