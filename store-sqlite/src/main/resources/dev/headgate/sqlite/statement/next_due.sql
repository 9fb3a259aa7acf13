-- One index probe per queue, and one for deadlines.
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
    where deadline is not null and state in ('SCHEDULED', 'QUEUED', 'PARKED')
)
