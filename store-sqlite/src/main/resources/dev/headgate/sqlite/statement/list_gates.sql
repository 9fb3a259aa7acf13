select key, leases, units, memory, wake_at
from headgate_gate
where key > :after
order by key
limit :limit
