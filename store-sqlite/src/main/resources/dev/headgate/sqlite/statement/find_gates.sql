select key, leases, units, memory, wake_at, journal_count, journal_head, journal_until
from headgate_gate
where key in (select value from json_each(:gates))
