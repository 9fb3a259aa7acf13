select
    l.id, l.queue, l.gates, l.state, l.rank, l.cost, l.waiting_at, l.since, l.passes, l.share
from unnest(:queue::text[], :share::text[]) as q (queue, share)
cross join lateral (
    select *
    from headgate_lane
    where queue = q.queue and share = q.share and state = 'READY'
    order by rank
    limit :limit
    for update skip locked
) l
