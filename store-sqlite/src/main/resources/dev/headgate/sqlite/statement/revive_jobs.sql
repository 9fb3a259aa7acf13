-- They come back with their ids and epochs; a key taken meanwhile, by a live job or by one of these, or a deadline that passed
-- stays behind. The place of each is the one it had, if it was ever leased or keeps that of its enqueue, else a new one, in the
-- order of ids.
update sqlite_sequence
set seq = seq + (
    select count(*)
    from headgate_history
    where id in (select value from json_each(:ids)) and state in ('FAILED', 'CANCELLED') and epoch = 0 and front < 2
)
where name = 'headgate_job'
-- then
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
    case
        when epoch = 0 and front < 2
            then number - priority * 1048576 - case when front & 1 = 1 then 262145 + 2 * (number % 262144) else 0 end
        else rank
    end,
    'QUEUED',
    enqueued_at,
    :now,
    null,
    0,
    attempts_max,
    0,
    epoch,
    null,
    case when bearer = 1 and not exists (select 1 from headgate_job j where j.dedup_key = back.dedup_key) then dedup_key end,
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
from (
    select
        h.*,
        row_number() over (partition by dedup_key order by id) as bearer,
        (select seq from sqlite_sequence where name = 'headgate_job') - sum(epoch = 0 and front < 2) over ()
            + sum(epoch = 0 and front < 2) over (order by id) as number
    from headgate_history h
    where id in (select value from json_each(:ids)) and state in ('FAILED', 'CANCELLED')
) back
returning id, queue, gates, lane, rank, cost
-- then
delete from headgate_history
where id in (select value from json_each(:ids)) and state in ('FAILED', 'CANCELLED')
