-- One that was never leased takes its place now, unless it keeps that of its enqueue: it draws a number as new jobs do.
update sqlite_sequence
set seq = seq + (
    select count(*)
    from (
        select epoch, front
        from headgate_job
        where state = 'SCHEDULED' and queue in (select value from json_each(:queues)) and run_at <= :now
        order by run_at, id
        limit :limit
    )
    where epoch = 0 and front < 2
)
where name = 'headgate_job'
-- then
update headgate_job
set state = 'QUEUED',
    rank = case
        when n.is_new
            then n.number - priority * 1048576 - case when front & 1 = 1 then 262145 + 2 * (n.number % 262144) else 0 end
        else rank
    end
from (
    select
        d.id,
        d.is_new,
        (select seq from sqlite_sequence where name = 'headgate_job') - sum(d.is_new) over ()
            + sum(d.is_new) over (order by d.run_at, d.id) as number
    from (
        select id, run_at, epoch = 0 and front < 2 as is_new
        from headgate_job
        where state = 'SCHEDULED' and queue in (select value from json_each(:queues)) and run_at <= :now
        order by run_at, id
        limit :limit
    ) d
) n
where headgate_job.id = n.id
returning queue, gates, lane, rank, cost
