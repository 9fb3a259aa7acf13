with gone as (
    delete from headgate_job
    where id = :id and state in ('AWAITING', 'SCHEDULED', 'QUEUED', 'PARKED')
    returning *
)
insert into headgate_history (
    id, queue, gates, lane, type, payload, cost, priority, front, rank, state, enqueued_at, run_at,
    started_at, attempt, attempts_max, lost, epoch, worker, dedup_key, dedup_for, timeout,
    deadline, retry, labels, headers, frame, frame_revision, detail,
    finished_at
)
select
    id, queue, gates, lane, type, payload, cost, priority, front, rank, :state, enqueued_at,
    run_at, started_at, attempt, attempts_max, lost, epoch, worker, dedup_key, dedup_for, timeout,
    deadline, retry, labels, headers, frame, frame_revision, :detail,
    :now
from gone
returning id
