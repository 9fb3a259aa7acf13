-- One index probe per queue, one for deadlines, and one whether a job that others wait for needs another look.
select min(due)
from (
    select (
        select min(j.run_at)
        from headgate_job j
        where j.state = 'SCHEDULED' and j.queue = q.value
    ) as due
    from json_each(:queues) q
    union all
    select min(deadline)
    from headgate_job
    where deadline is not null and state in ('AWAITING', 'SCHEDULED', 'QUEUED', 'PARKED')
    union all
    select -1
    where exists (select 1 from headgate_look)
)
