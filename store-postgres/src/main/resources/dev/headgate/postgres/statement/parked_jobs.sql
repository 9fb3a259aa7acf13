select id, type, queue, gates, cost
from headgate_job
where state = 'PARKED' and park_reason = :reason and (type, id) > (:type, :after)
order by type, id
limit :limit
