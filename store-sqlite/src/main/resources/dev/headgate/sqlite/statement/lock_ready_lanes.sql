select
    l.id, l.queue, l.gates, l.state, l.rank, l.cost, l.waiting_at, l.since, l.passes, l.share
from jsonb_each(:rows) r
cross join headgate_lane l on l.id in (
    select h.id
    from headgate_lane h
    where h.queue = r.value ->> 'queue' and h.share = r.value ->> 'share' and h.state = 'READY'
    order by h.rank
    limit :limit
)
order by l.rank
