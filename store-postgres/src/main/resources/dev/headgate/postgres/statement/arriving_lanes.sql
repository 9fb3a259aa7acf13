-- The bound comes before the join, or a million doorbells of waiting lanes would all be looked at.
select a.queue, a.gates, a.lane, a.rank, a.cost
from unnest(:queue::text[]) as q (queue)
cross join lateral (
    select *
    from headgate_arrival
    where queue = q.queue
    order by rank, id
    limit :limit
) a
left join headgate_lane l on l.id = a.lane
where l.id is null or l.state <> 'WAITING' or a.rank <= l.rank
