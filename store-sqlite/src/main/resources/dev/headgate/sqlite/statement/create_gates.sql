insert into headgate_gate (key, leases, units, memory)
select r.value ->> 'gate', 0, 0, ''
from jsonb_each(:rows) r
where true
on conflict (key) do nothing
