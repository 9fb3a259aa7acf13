select key, leases, units, memory, wake_at
from headgate_gate
where key = any(:gates::text[])
order by key collate "C"
for update
