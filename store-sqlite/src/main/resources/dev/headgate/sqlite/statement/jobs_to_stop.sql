select r.value ->> 'job'
from jsonb_each(:rows) r
left join headgate_job j
    on j.id = r.value ->> 'job'
    and j.epoch = r.value ->> 'epoch'
    and j.worker = :worker
    and j.state = 'RUNNING'
where j.id is null or j.cancel_requested = 1
