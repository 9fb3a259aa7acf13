select journal_count, journal_head, journal_until, pruned_count, pruned_hash
from headgate_gate
where key = :gate
