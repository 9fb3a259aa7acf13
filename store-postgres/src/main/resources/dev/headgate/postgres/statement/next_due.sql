-- One index probe per queue, one for deadlines, and one whether a job that others wait for needs another look.
select min(due)
from (
    select (
        select j.run_at
        from headgate_job j
        where j.state = 'SCHEDULED' and j.queue = q.queue
        order by j.run_at
        limit 1
    ) as due
    from unnest(:queues::text[]) as q (queue)
    union all
    (
        select deadline
        from headgate_job
        where deadline is not null and state in ('AWAITING', 'SCHEDULED', 'QUEUED', 'PARKED')
        order by deadline
        limit 1
    )
    union all
    (
        select -1
        from headgate_look
        limit 1
    )
) d
