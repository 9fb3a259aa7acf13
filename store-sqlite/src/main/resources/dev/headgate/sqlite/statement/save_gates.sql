update headgate_gate
set leases = r.value ->> 'leases',
    units = r.value ->> 'units',
    memory = r.value ->> 'memory',
    wake_at = r.value ->> 'wake_at',
    journal_count = r.value ->> 'journal_count',
    journal_head = r.value ->> 'journal_head',
    journal_until = r.value ->> 'journal_until'
from jsonb_each(:rows) r
where headgate_gate.key = r.value ->> 'gate'
