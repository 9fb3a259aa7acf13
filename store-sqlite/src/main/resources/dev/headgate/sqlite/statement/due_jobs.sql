select
    j.queue,
    j.gates,
    j.lane,
    j.rank,
    j.cost,
    j.type,
    case when l.state = 'WAITING' and j.rank > l.rank then 1 else 0 end
from jsonb_each(:rows) r
cross join headgate_job j on j.id in (
    select h.id
    from headgate_job h
    where h.state = 'SCHEDULED' and h.queue = r.value ->> 'queue' and h.run_at <= :now
    order by h.run_at
    limit :limit
)
left join headgate_lane l on l.id = j.lane
