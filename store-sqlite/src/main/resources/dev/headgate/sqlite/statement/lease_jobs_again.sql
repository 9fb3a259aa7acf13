update headgate_job
set state = 'RUNNING',
    worker = :worker,
    started_at = :now,
    epoch = epoch + 1,
    attempt = attempt + 1,
    progress = null,
    progress_message = null,
    cancel_requested = 0
where id = :job and epoch = :epoch and worker = :worker and state = 'RUNNING'
returning
    id, queue, gates, type, payload, cost, priority, front, dedup_key, dedup_for, timeout,
    deadline, attempts_max, retry, state, rank, enqueued_at, run_at, started_at, attempt, lost,
    epoch, worker, park_reason, detail, progress, progress_message, cancel_requested
