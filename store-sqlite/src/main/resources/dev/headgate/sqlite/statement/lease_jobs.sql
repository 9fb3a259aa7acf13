update headgate_job
set state = 'RUNNING',
    worker = :worker,
    started_at = :now,
    margin = :margin,
    epoch = epoch + 1,
    attempt = attempt + 1,
    progress = null,
    progress_message = null,
    cancel_requested = 0
where id in (select value from json_each(:ids)) and state = 'QUEUED'
returning
    id, queue, gates, type, payload, cost, priority, front, dedup_key, dedup_for,
    timeout, deadline, attempts_max, retry, labels, headers, frame, frame_revision, rank, enqueued_at, run_at, attempt, lost, epoch, detail
