select
    j.queue,
    j.gates,
    j.lane,
    j.rank,
    j.cost,
    j.type,
    case when l.state = 'WAITING' and j.rank > l.rank then 1 else 0 end
from unnest(:queue::text[]) as q (queue)
cross join lateral (
    select queue, gates, lane, rank, cost, type
    from headgate_job
    where state = 'SCHEDULED' and queue = q.queue and run_at <= :now
    order by run_at
    limit :limit
) j
left join headgate_lane l on l.id = j.lane
