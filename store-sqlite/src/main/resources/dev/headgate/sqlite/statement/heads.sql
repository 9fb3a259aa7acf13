-- The subquery stands in for a lateral join: the first few jobs of each lane by its index.
select j.lane, j.id, j.rank, j.cost, j.type
from jsonb_each(:rows) r
join headgate_job j on j.id in (
    select h.id
    from headgate_job h
    where h.lane = r.value ->> 'lane' and h.state = 'QUEUED'
    order by h.rank
    limit :per_lane
)
order by j.lane, j.rank
