select key, leases, units, memory, wake_at, journal_count, journal_head, journal_until
from headgate_gate
where key collate "C" > :after
order by key collate "C"
limit :limit
