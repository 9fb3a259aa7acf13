update headgate_attempt
set outcome = :outcome,
    error = :error
from jsonb_each(:rows) r
where headgate_attempt.job = r.value ->> 'job'
    and headgate_attempt.epoch = r.value ->> 'epoch'
    and worker = :worker
    and outcome = 'lost'
returning job
