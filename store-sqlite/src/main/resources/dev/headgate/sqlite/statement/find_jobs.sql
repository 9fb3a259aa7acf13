select
    id, queue, gates, type, payload, cost, priority, front, dedup_key, dedup_for, timeout,
    deadline, attempts_max, retry, labels, headers, frame, frame_revision, state, rank, enqueued_at, run_at, started_at, margin, attempt, lost,
    epoch, worker, park_reason, detail, progress, progress_message, cancel_requested
from headgate_job
where id in (select value from json_each(:ids))
order by id desc
