update headgate_job
set state = 'RUNNING',
    worker = :worker,
    started_at = :now,
    margin = :margin,
    epoch = headgate_job.epoch + 1,
    attempt = headgate_job.attempt + 1,
    progress = null,
    progress_message = null,
    cancel_requested = 0
from jsonb_each(:rows) r
where headgate_job.id = r.value ->> 'job'
    and headgate_job.epoch = r.value ->> 'epoch'
    and worker = :worker
    and state = 'RUNNING'
returning
    id, queue, gates, type, payload, cost, priority, front, dedup_key, dedup_for,
    timeout, deadline, attempts_max, retry, labels, headers, frame, frame_revision, rank, enqueued_at, run_at, attempt, lost, epoch, detail
