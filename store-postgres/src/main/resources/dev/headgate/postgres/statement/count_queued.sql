-- Jobs of each queue, counted so far: of the lane without gates, whose name is given, and of the others.
with lanes as (
    select queue, array_agg(id) as ids
    from (
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
    ) l
    group by queue
)
select q.queue, (
    select count(*)
    from (
        select 1
        from unnest(array[q.lane] || l.ids[1 : (:max)::int]) as i (lane)
        cross join lateral (
            select 1
            from headgate_job
            where lane = i.lane and state = 'QUEUED'
            limit :max
        ) j
        limit :max
    ) b
)
from unnest(:queue::text[], :lane::text[]) as q (queue, lane)
left join lanes l on l.queue = q.queue
