select id, name, queues, slots, started_at, lease_until, holding, room, lost_max,
    exists (select 1 from headgate_edge indexed by headgate_edge_open where outcome is null)
from headgate_worker
where id = :id
