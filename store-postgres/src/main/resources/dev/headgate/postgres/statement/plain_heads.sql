-- No key update, here and in heads: a claim does not skip or wait for a job that an enqueue is just tying others to.
select id, rank, cost, type
from headgate_job
where lane = :lane and state = 'QUEUED'
order by rank
limit :limit
for no key update skip locked
