-- They come back with their ids and epochs; a key taken meanwhile, by a live job or by one of these, or a deadline that passed
-- stays behind. The place of each is the one it had, if it was ever leased or keeps that of its enqueue, else a new one, in the
-- order of ids. The fence (offset 0) keeps the planner from reading all jobs for their keys.
with gone as (
    delete from headgate_history
    where id = any(:ids::bigint[]) and state in ('FAILED', 'CANCELLED')
    returning *
),
keyed as (
    select gone.*, row_number() over (partition by dedup_key order by id) as bearer
    from gone
),
back as (
    select k.*, case when epoch = 0 and front < 2 then nextval('headgate_job_id') end as number
    from (select * from keyed order by id) k
)
insert into headgate_job (
    id, queue, gates, lane, type, payload, cost, priority, front, rank, state, enqueued_at, run_at,
    started_at, attempt, attempts_max, lost, epoch, worker, dedup_key, dedup_for, timeout,
    deadline, retry, labels, headers, frame, frame_revision, detail,
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
    case
        when bearer = 1 and not exists (select 1 from headgate_job j where j.dedup_key = back.dedup_key offset 0) then dedup_key
    end,
    dedup_for,
    timeout,
    case when deadline > :now then deadline end,
    retry,
    labels,
    headers,
    frame,
    frame_revision,
    detail,
    0
from back
returning id, queue, gates, lane, rank, cost
