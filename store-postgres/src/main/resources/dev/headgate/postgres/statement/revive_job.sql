-- Comes back with its id and its epoch; a key taken meanwhile or a deadline that passed stays behind. Its place is the one it
-- had, if it was ever leased or keeps that of its enqueue, else a new one.
with gone as (
    delete from headgate_history
    where id = :id and state in ('FAILED', 'CANCELLED')
    returning *
),
back as (
    select gone.*, case when epoch = 0 and front < 2 then nextval('headgate_job_id') end as number
    from gone
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
    coalesce(
        number - priority * 1048576 - case when front & 1 = 1 then 262145 + 2 * (number % 262144) else 0 end,
        rank
    ),
    'QUEUED',
    enqueued_at,
    :now,
    null::bigint,
    0,
    attempts_max,
    0,
    epoch,
    null,
    case when not exists (select 1 from headgate_job j where j.dedup_key = back.dedup_key) then dedup_key end,
    dedup_for,
    timeout,
    case when deadline > :now then deadline end,
    retry,
    frame,
    frame_revision,
    detail,
    0
from back
returning queue, gates, lane, rank, cost
