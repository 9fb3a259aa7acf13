-- Jobs of each queue, counted so far: of the lane without gates, whose name is given, and of the others.
with lanes as materialized (
    select queue, id
    from (
        select queue, id
        from headgate_lane
        where state = 'READY'
        limit 100000
    ) r
    union all
    select queue, id
    from (
        select queue, id
        from headgate_lane
        where state = 'WAITING'
        limit 100000
    ) w
    union
    select queue, lane
    from (
        select queue, lane
        from headgate_arrival
        order by id
        limit 100000
    ) a
)
select r.value ->> 'queue', (
    select count(*)
    from (
        select 1
        from (
            select r.value ->> 'lane' as lane
            union all
            select id
            from lanes
            where queue = r.value ->> 'queue'
        ) i
        cross join headgate_job j on j.lane = i.lane and j.state = 'QUEUED'
        limit :max
    )
)
from jsonb_each(:rows) r
