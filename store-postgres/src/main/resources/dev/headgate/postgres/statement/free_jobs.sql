-- The rows are locked by an earlier statement, so this one sees every edge that others have settled before. What was due
-- when it was enqueued is due, though the transaction that frees it may have read the clock before that. One that is due and was never
-- leased takes its place now, unless it keeps that of its enqueue: it draws a number as new jobs do, in the order of ids.
update headgate_job as j
set state = case when j.run_at > greatest(:now, j.enqueued_at) then 'SCHEDULED' else 'QUEUED' end,
    run_at = greatest(j.run_at, :now),
    rank = coalesce(
        n.number - j.priority * 1048576 - case when j.front & 1 = 1 then 262145 + 2 * (n.number % 262144) else 0 end,
        j.rank
    )
from (
    select f.id, case when f.is_due and :is_new = 0 then nextval('headgate_job_id') end as number
    from (
        select h.id, h.run_at <= greatest(:now, h.enqueued_at) and h.epoch = 0 and h.front < 2 as is_due
        from headgate_job h
        where h.id = any(:ids::bigint[])
            and h.state = 'AWAITING'
            and not exists (select 1 from headgate_edge e where e.job = h.id and e.outcome is null)
        order by h.id
    ) f
) n
where j.id = n.id
returning j.id, j.state, j.queue, j.gates, j.lane, j.rank, j.cost
