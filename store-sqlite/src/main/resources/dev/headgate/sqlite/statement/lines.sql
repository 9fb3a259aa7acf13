select
    l.id, l.queue, l.gates, l.state, l.rank, l.cost, l.waiting_at, l.since, l.passes, l.share
from jsonb_each(:rows) r
cross join headgate_lane l on l.id in (
    select h.id
    from headgate_lane h
    where h.waiting_at = r.value ->> 'gate' and h.share = r.value ->> 'share' and h.state = 'WAITING'
    order by h.rank
    limit :per_gate
)
order by l.waiting_at, l.rank
