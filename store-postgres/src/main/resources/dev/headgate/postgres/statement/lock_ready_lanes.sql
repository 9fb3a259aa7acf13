select
    l.id, l.queue, l.gates, l.state, l.rank, l.cost, l.waiting_at, l.since, l.passes
from unnest(:queue::text[]) as q (queue)
cross join lateral (
    select *
    from headgate_lane
    where queue = q.queue and state = 'READY'
    order by rank
    limit :limit
    for update skip locked
) l
