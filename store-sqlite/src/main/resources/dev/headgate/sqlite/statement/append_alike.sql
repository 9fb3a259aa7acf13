-- Jobs that differ in nothing but their payloads, without a key against duplicates. Ids follow each other, so the last one
-- tells them all.
update sqlite_sequence
set seq = seq + :jobs
where name = 'headgate_job'
-- then
insert into headgate_job (
    id, queue, gates, lane, type, payload, cost, priority, front, rank, state, enqueued_at, run_at,
    attempt, attempts_max, lost, epoch, timeout, deadline, retry, labels, headers, frame, frame_revision,
    cancel_requested, capped_queue, capped_gate
)
select
    n.id,
    :queue,
    :gates,
    :lane,
    :type,
    n.payload,
    :cost,
    :priority,
    :front,
    n.id - :priority * 1048576 - case when :front & 1 = 1 then 262145 + 2 * (n.id % 262144) else 0 end,
    :state,
    :enqueued_at,
    :run_at,
    0,
    :attempts_max,
    0,
    0,
    :timeout,
    :deadline,
    :retry,
    :labels,
    :headers,
    :frame,
    :frame_revision,
    0,
    :capped_queue,
    :capped_gate
from (
    select
        p.value as payload,
        p.key + 1 - :jobs + (select seq from sqlite_sequence where name = 'headgate_job') as id
    from json_each(:payloads) p
) n
-- then
select seq
from sqlite_sequence
where name = 'headgate_job'
