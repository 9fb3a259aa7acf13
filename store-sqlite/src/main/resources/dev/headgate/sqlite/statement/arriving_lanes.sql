-- The bound comes before the join, or a million doorbells of waiting lanes would all be looked at.
select a.queue, a.gates, a.lane, a.rank, a.cost
from jsonb_each(:rows) r
cross join headgate_arrival a on a.id in (
    select h.id
    from headgate_arrival h
    where h.queue = r.value ->> 'queue'
    order by h.rank, h.id
    limit :limit
)
left join headgate_lane l on l.id = a.lane
where l.id is null or l.state <> 'WAITING' or a.rank <= l.rank
