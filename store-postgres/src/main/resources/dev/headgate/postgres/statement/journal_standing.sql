select
    coalesce(g.journal_count, 0),
    coalesce(g.journal_head, ''),
    coalesce(g.journal_until, 0),
    coalesce(g.pruned_count, 0),
    coalesce(g.pruned_hash, ''),
    m.value
from headgate_meta m
left join headgate_gate g on g.key = :gate
where m.key = 'journal_unchained'
