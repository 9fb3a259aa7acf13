select id, name, queues, slots, started_at, lease_until, holding, room, lost_max
from headgate_worker
order by started_at, id
