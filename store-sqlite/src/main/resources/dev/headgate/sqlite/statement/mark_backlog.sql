update headgate_job
set capped_queue = r.value ->> 'capped_queue',
    capped_gate = r.value ->> 'capped_gate'
from jsonb_each(:rows) r
where headgate_job.lane = r.value ->> 'lane' and headgate_job.frame is null
