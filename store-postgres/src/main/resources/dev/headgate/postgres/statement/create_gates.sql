insert into headgate_gate (key, leases, units, memory)
select gate, 0, 0, ''
from unnest(:gate::text[]) as g (gate)
on conflict (key) do nothing
