insert into headgate_job (
    id, queue, gates, lane, type, payload, cost, priority, front, rank, state, enqueued_at, run_at,
    attempt, attempts_max, lost, epoch, dedup_key, dedup_for, timeout, deadline, retry,
    cancel_requested
)
select
    n.id, :queue, :gates, :lane, :type, :payload, :cost, :priority, :front,
    -:priority * 281474976710656 + case when :front = 1 then -n.id else n.id end,
    :state, :enqueued_at, :run_at, 0, :attempts_max, 0, 0,
    :dedup_key, :dedup_for, :timeout, :deadline, :retry,
    0
from (
    select coalesce((select seq from sqlite_sequence where name = 'headgate_job'), 0) + 1 as id
) n
where :dedup_key is null
    or not exists (select 1 from headgate_job where dedup_key = :dedup_key)
returning :place, id, 1
