-- The rows are locked by an earlier statement, so this one sees every edge that others have settled before. What was due
-- when it was enqueued is due, though the transaction that frees it may have read the clock before that. One that is due and was never
-- leased takes its place now, unless it keeps that of its enqueue: it draws a number as new jobs do, in the order of ids.
update sqlite_sequence
set seq = seq + (
    select count(*)
    from headgate_job h
    where h.id in (select value from json_each(:ids))
        and h.state = 'AWAITING'
        and not exists (select 1 from headgate_edge e where e.job = h.id and e.outcome is null)
        and h.run_at <= max(:now, h.enqueued_at)
        and h.epoch = 0
        and h.front < 2
)
where name = 'headgate_job' and :is_new = 0
-- then
update headgate_job
set state = case when run_at > max(:now, enqueued_at) then 'SCHEDULED' else 'QUEUED' end,
    run_at = max(run_at, :now),
    rank = case
        when n.takes_place
            then n.number - priority * 1048576 - case when front & 1 = 1 then 262145 + 2 * (n.number % 262144) else 0 end
        else rank
    end
from (
    select
        f.id,
        f.takes_place,
        (select seq from sqlite_sequence where name = 'headgate_job') - sum(f.takes_place) over ()
            + sum(f.takes_place) over (order by f.id) as number
    from (
        select
            h.id,
            :is_new = 0 and h.run_at <= max(:now, h.enqueued_at) and h.epoch = 0 and h.front < 2 as takes_place
        from headgate_job h
        where h.id in (select value from json_each(:ids))
            and h.state = 'AWAITING'
            and not exists (select 1 from headgate_edge e where e.job = h.id and e.outcome is null)
    ) f
) n
where headgate_job.id = n.id
returning headgate_job.id, state, queue, gates, lane, rank, cost
