-- Jobs of the lanes in line at each gate, counted so far. The fences keep the planner from reading them all for that.
select g.gate, (
    select count(*)
    from (
        select 1
        from (
            select id
            from headgate_lane
            where waiting_at = g.gate and state = 'WAITING'
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
from unnest(:gates::text[]) as g (gate)
