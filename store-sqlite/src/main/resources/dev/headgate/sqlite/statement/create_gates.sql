insert into headgate_gate (key, leases, units, memory)
values (:gate, 0, 0, '')
on conflict (key) do nothing
