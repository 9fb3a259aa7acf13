update headgate_job as j
set state = 'RUNNING',
    worker = :worker,
    started_at = :now,
    margin = :margin,
    epoch = j.epoch + 1,
    attempt = j.attempt + 1,
    progress = null,
    progress_message = null,
    cancel_requested = 0
from unnest(:job::bigint[], :epoch::bigint[]) as l (job, epoch)
where j.id = l.job and j.epoch = l.epoch and j.worker = :worker and j.state = 'RUNNING'
returning
    j.id, j.queue, j.gates, j.type, j.payload, j.cost, j.priority, j.front, j.dedup_key, j.dedup_for,
    j.timeout, j.deadline, j.attempts_max, j.retry, j.labels, j.headers, j.frame, j.frame_revision, j.rank, j.enqueued_at, j.run_at, j.attempt, j.lost, j.epoch, j.detail
