update headgate_job
set state = r.value ->> 'state',
    run_at = r.value ->> 'run_at',
    attempt = headgate_job.attempt - (r.value ->> 'attempt_back'),
    lost = headgate_job.lost + (r.value ->> 'is_lost'),
    worker = null,
    park_reason = r.value ->> 'reason',
    detail = coalesce(r.value ->> 'detail', headgate_job.detail)
from jsonb_each(:rows) r
where headgate_job.id = r.value ->> 'job'
    and headgate_job.epoch = r.value ->> 'epoch'
    and worker = :worker
    and state = 'RUNNING'
returning
    id, queue, gates, rank, cost, attempt, started_at, margin
