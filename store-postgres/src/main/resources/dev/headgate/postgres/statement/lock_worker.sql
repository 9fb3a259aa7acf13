select id, name, queues, slots, started_at, lease_until, holding, room, lost_max,
    exists (select 1 from headgate_edge where outcome is null)::int
from headgate_worker
where id = :id
for update
