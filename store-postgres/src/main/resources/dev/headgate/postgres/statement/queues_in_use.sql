-- All keys of queues stand together in the index.
select key, leases, units, memory, wake_at, journal_count, journal_head, journal_until
from headgate_gate
where key >= 'queue:' and key < 'queue;' and leases + units > 0
order by key
