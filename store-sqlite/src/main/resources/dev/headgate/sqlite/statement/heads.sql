-- Once per lane: SQLite has no lateral join, and a call costs no round trip.
select lane, id, rank, cost
from headgate_job
where lane = :lane and state = 'QUEUED'
order by rank
limit :per_lane
