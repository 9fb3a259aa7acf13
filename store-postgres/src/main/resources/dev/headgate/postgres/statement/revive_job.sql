-- Comes back with its id, its place and its epoch; a key taken meanwhile or a deadline that passed stays behind.
with gone as (
    delete from headgate_history
    where id = :id and state in ('FAILED', 'CANCELLED')
    returning *
)
insert into headgate_job (
    id, queue, gates, lane, type, payload, cost, priority, front, rank, state, enqueued_at, run_at,
    started_at, attempt, attempts_max, lost, epoch, worker, dedup_key, dedup_for, timeout,
    deadline, retry, frame, frame_revision, detail,
    cancel_requested
)
select
    id,
    queue,
    gates,
    lane,
    type,
    payload,
    cost,
    priority,
    front,
    rank,
    'QUEUED',
    enqueued_at,
    :now,
    null::bigint,
    0,
    attempts_max,
    0,
    epoch,
    null,
    case when not exists (select 1 from headgate_job j where j.dedup_key = gone.dedup_key) then dedup_key end,
    dedup_for,
    timeout,
    case when deadline > :now then deadline end,
    retry,
    frame,
    frame_revision,
    detail,
    0
from gone
returning queue, gates, lane, rank, cost
