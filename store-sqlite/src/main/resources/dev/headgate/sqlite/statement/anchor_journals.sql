update headgate_gate
set pruned_count = r.value ->> 'number',
    pruned_hash = r.value ->> 'hash'
from jsonb_each(:rows) r
where headgate_gate.key = r.value ->> 'gate' and headgate_gate.pruned_count < r.value ->> 'number'
    and headgate_gate.journal_count >= r.value ->> 'number'
