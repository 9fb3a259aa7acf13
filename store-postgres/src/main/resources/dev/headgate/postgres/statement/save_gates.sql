update headgate_gate as g
set leases = s.leases,
    units = s.units,
    memory = s.memory,
    wake_at = s.wake_at
from unnest(:gate::text[], :leases::bigint[], :units::bigint[], :memory::text[], :wake_at::bigint[])
    as s (gate, leases, units, memory, wake_at)
where g.key = s.gate
