select
    l.id, l.queue, l.gates, l.state, l.rank, l.cost, l.waiting_at, l.since, l.passes, l.share
from unnest(:gate::text[], :share::text[]) as g (gate, share)
cross join lateral (
    select *
    from headgate_lane
    where waiting_at = g.gate and share = g.share and state = 'WAITING'
    order by rank
    limit :per_gate
) l
