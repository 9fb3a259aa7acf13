-- The guard must not read state = 'QUEUED': the planner would then walk the whole claim index for a bitmap, 35 ms with
-- 100,000 jobs waiting, instead of probing the primary key.
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
where id = any(:ids::bigint[]) and state not in ('AWAITING', 'SCHEDULED', 'RUNNING', 'PARKED')
returning
    id, queue, gates, type, payload, cost, priority, front, dedup_key, dedup_for,
    timeout, deadline, attempts_max, retry, labels, headers, frame, frame_revision, rank, enqueued_at, run_at, attempt, lost, epoch, detail
