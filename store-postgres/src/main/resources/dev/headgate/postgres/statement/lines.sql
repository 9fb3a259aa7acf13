select
    l.id, l.queue, l.gates, l.state, l.rank, l.cost, l.waiting_at, l.since, l.passes
from unnest(:gate::text[]) as g (gate)
cross join lateral (
    select *
    from headgate_lane
    where waiting_at = g.gate and state = 'WAITING'
    order by rank
    limit :per_gate
) l
