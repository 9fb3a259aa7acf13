select gate
from headgate_journal
union
select key
from headgate_gate
where journal_count > pruned_count
