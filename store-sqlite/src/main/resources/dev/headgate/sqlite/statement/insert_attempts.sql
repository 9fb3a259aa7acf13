insert into headgate_attempt (job, epoch, number, worker, started_at, ended_at, outcome, error)
select
    r.value ->> 'job',
    r.value ->> 'epoch',
    r.value ->> 'number',
    r.value ->> 'worker',
    r.value ->> 'started_at',
    r.value ->> 'ended_at',
    r.value ->> 'outcome',
    r.value ->> 'error'
from jsonb_each(:rows) r
