-- Jobs of lanes that stand in line, counted so far. The fences keep the planner from reading them all for that.
select q.queue, (
    select count(*)
    from (
        select 1
        from (
            select id
            from headgate_lane
            where state = 'WAITING' and queue = q.queue
            offset 0
        ) l
        cross join lateral (
            select 1
            from headgate_job j
            where j.lane = l.id and j.state = 'QUEUED'
            offset 0
        ) j
        limit :max
    ) b
)
from unnest(:queues::text[]) as q (queue)
