update headgate_gate as g
set leases = s.leases,
    units = s.units,
    memory = s.memory,
    wake_at = s.wake_at,
    journal_count = s.journal_count,
    journal_head = s.journal_head,
    journal_until = s.journal_until
from unnest(
    :gate::text[], :leases::bigint[], :units::bigint[], :memory::text[], :wake_at::bigint[],
    :journal_count::bigint[], :journal_head::text[], :journal_until::bigint[]
) as s (gate, leases, units, memory, wake_at, journal_count, journal_head, journal_until)
where g.key = s.gate
