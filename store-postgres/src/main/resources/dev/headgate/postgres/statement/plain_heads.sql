select id, rank, cost, type
from headgate_job
where lane = :lane and state = 'QUEUED'
order by rank
limit :limit
for update skip locked
