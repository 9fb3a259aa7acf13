update headgate_job
set state = 'PARKED',
    park_reason = :reason,
    detail = r.value ->> 'detail'
from jsonb_each(:rows) r
where headgate_job.id = r.value ->> 'job' and state = 'QUEUED'
