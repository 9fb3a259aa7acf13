-- Names of queues with this beginning in which a claim may find something. Each index is read once for each name found: from one name
-- straight to the next.
with recursive ready (queue) as (
    select (
        select queue
        from headgate_lane
        where state = 'READY' and queue >= :first and queue > :after and queue <= :last
        order by queue
        limit 1
    )
    union all
    select (
        select l.queue
        from headgate_lane l
        where l.state = 'READY' and l.queue > r.queue and l.queue <= :last
        order by l.queue
        limit 1
    )
    from ready r
    where r.queue is not null
),
rung (queue) as (
    select (
        select queue
        from headgate_arrival
        where queue >= :first and queue > :after and queue <= :last
        order by queue
        limit 1
    )
    union all
    select (
        select a.queue
        from headgate_arrival a
        where a.queue > r.queue and a.queue <= :last
        order by a.queue
        limit 1
    )
    from rung r
    where r.queue is not null
),
plain (lane) as (
    select (
        select lane
        from headgate_job
        where state = 'QUEUED' and lane >= :first_lane and lane > :after_lane and lane <= :last_lane
        order by lane
        limit 1
    )
    union all
    select (
        select j.lane
        from headgate_job j
        where j.state = 'QUEUED' and j.lane > p.lane and j.lane <= :last_lane
        order by j.lane
        limit 1
    )
    from plain p
    where p.lane is not null
)
select queue
from (
    (
        select queue
        from ready
        where queue is not null
        limit :limit
    )
    union
    (
        select queue
        from rung
        where queue is not null
        limit :limit
    )
    union
    (
        select substr(lane, 3)
        from plain
        where lane is not null
        limit :limit
    )
) q
order by queue
limit :limit
