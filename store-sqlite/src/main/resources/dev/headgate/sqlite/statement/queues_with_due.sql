-- Usually few jobs are due, and they stand first in the order of time. Where many are that no worker serves, queue after queue is asked
-- instead.
with recursive early (queue) as materialized (
    select queue
    from headgate_job
    where state = 'SCHEDULED' and run_at <= :now
    order by run_at
    limit 1000
),
named (queue) as (
    select (
        select queue
        from headgate_job
        where state = 'SCHEDULED' and queue >= :first and queue <= :last and (select count(*) from early) = 1000
        order by queue
        limit 1
    )
    union all
    select (
        select j.queue
        from headgate_job j
        where j.state = 'SCHEDULED' and j.queue > n.queue and j.queue <= :last
        order by j.queue
        limit 1
    )
    from named n
    where n.queue is not null
)
select queue
from early
where queue >= :first and queue <= :last
union
select queue
from named
where queue is not null and exists (
    select 1
    from headgate_job j
    where j.state = 'SCHEDULED' and j.queue = named.queue and j.run_at <= :now
)
limit :limit
