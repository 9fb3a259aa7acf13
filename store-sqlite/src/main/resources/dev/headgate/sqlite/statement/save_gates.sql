update headgate_gate
set leases = r.value ->> 'leases',
    units = r.value ->> 'units',
    memory = r.value ->> 'memory',
    wake_at = r.value ->> 'wake_at'
from jsonb_each(:rows) r
where headgate_gate.key = r.value ->> 'gate'
