select id, name, queues, slots, started_at, lease_until, holding
from headgate_worker
where id = :id
for update
