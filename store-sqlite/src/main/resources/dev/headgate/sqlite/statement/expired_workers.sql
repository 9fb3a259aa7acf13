select id, name, queues, slots, started_at, lease_until, holding, room, lost_max
from headgate_worker
where lease_until <= :now
order by lease_until, id
limit :limit
