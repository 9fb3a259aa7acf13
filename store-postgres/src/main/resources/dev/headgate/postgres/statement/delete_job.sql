with gone as (
    delete from headgate_job
    where id = :id
    returning *
),
attempts as (
    delete from headgate_attempt
    where job = :id
),
lines as (
    delete from headgate_log
    where job = :id
),
edges as (
    delete from headgate_edge
    where job = :id
)
select
    id, queue, gates, type, payload, cost, priority, front, dedup_key, dedup_for, timeout,
    deadline, attempts_max, retry, labels, headers, frame, frame_revision, state, rank, enqueued_at, run_at, started_at, margin, attempt, lost,
    epoch, worker, park_reason, detail, progress, progress_message, cancel_requested
from gone
