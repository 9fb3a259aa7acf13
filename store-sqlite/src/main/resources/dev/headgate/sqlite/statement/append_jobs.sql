-- Jobs without a key against duplicates: each is new. Ids follow each other, so the last one tells them all.
update sqlite_sequence
set seq = seq + json_array_length(:rows)
where name = 'headgate_job'
-- then
insert into headgate_job (
    id, queue, gates, lane, type, payload, cost, priority, front, rank, state, enqueued_at, run_at,
    attempt, attempts_max, lost, epoch, timeout, deadline, retry, labels, headers, frame, frame_revision,
    cancel_requested, capped_queue, capped_gate
)
select
    n.id,
    n.value ->> 'queue',
    n.value ->> 'gates',
    n.value ->> 'lane',
    n.value ->> 'type',
    n.value ->> 'payload',
    n.value ->> 'cost',
    n.value ->> 'priority',
    n.value ->> 'front',
    n.id - (n.value ->> 'priority') * 1048576 - case when (n.value ->> 'front') & 1 = 1 then 262145 + 2 * (n.id % 262144) else 0 end,
    n.value ->> 'state',
    n.value ->> 'enqueued_at',
    n.value ->> 'run_at',
    0,
    n.value ->> 'attempts_max',
    0,
    0,
    n.value ->> 'timeout',
    n.value ->> 'deadline',
    n.value ->> 'retry',
    n.value ->> 'labels',
    n.value ->> 'headers',
    n.value ->> 'frame',
    n.value ->> 'frame_revision',
    0,
    n.value ->> 'capped_queue',
    n.value ->> 'capped_gate'
from (
    select
        r.value,
        r.key + 1 - json_array_length(:rows) + (select seq from sqlite_sequence where name = 'headgate_job') as id
    from jsonb_each(:rows) r
) n
-- then
select seq
from sqlite_sequence
where name = 'headgate_job'
