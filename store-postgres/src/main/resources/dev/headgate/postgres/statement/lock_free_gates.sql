-- After the gates that had to be waited for: what another turn holds is left to the next one.
select key, leases, units, memory, wake_at, journal_count, journal_head, journal_until
from headgate_gate
where key = any(:gates::text[])
for update skip locked
