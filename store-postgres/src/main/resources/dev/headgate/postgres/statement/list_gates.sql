select key, leases, units, memory, wake_at
from headgate_gate
where key collate "C" > :after
order by key collate "C"
limit :limit
