-- Like lock_ready_lanes, of all shares, without a lock.
select
    l.id, l.queue, l.gates, l.state, l.rank, l.cost, l.waiting_at, l.since, l.passes, l.share
from unnest(:queue::text[]) as q (queue)
cross join lateral (
    select *
    from headgate_lane
    where queue = q.queue and state = 'READY'
    limit :limit
) l
