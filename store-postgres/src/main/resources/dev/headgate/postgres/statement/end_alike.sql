-- Jobs that end alike, as most do that end together. An array finds its rows in half the time that a join with a list
-- takes (1.6 microseconds a row instead of 3.1).
with gone as (
    delete from headgate_job
    where id = any(:jobs::bigint[]) and epoch = :epoch and worker = :worker and state = 'RUNNING'
    returning
        id, queue, gates, lane, type, payload, cost, priority, front, rank, enqueued_at, run_at, started_at,
        attempt, attempts_max, lost, epoch, worker, dedup_key, dedup_for, timeout, deadline, retry, labels, headers, frame, frame_revision
)
insert into headgate_history (
    id, queue, gates, lane, type, payload, cost, priority, front, rank, state, enqueued_at, run_at,
    started_at, attempt, attempts_max, lost, epoch, worker, dedup_key, dedup_for, timeout,
    deadline, retry, labels, headers, frame, frame_revision, detail,
    finished_at, result
)
select
    id, queue, gates, lane, type, payload, cost, priority, front, rank, :state, enqueued_at,
    run_at, started_at, attempt, attempts_max, lost + :is_lost::int, epoch, worker, dedup_key, dedup_for,
    timeout, deadline, retry, labels, headers, frame, frame_revision, :detail,
    :now, :result
from gone
returning id
