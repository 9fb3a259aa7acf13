update headgate_gate as g
set pruned_count = a.number,
    pruned_hash = a.hash
from unnest(:gate::text[], :number::bigint[], :hash::text[]) as a (gate, number, hash)
where g.key = a.gate and g.pruned_count < a.number and g.journal_count >= a.number
