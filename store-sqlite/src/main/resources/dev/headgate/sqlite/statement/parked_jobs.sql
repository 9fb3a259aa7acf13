select id, queue, gates, cost
from headgate_job
where state = 'PARKED' and park_reason = :reason and id > :after
order by id
limit :limit
