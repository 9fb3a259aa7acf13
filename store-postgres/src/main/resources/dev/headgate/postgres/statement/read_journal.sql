select id, gate, at, kind, starts, units, leases, in_use, started_at, margin, policy, keep_until
from headgate_journal
where gate = :gate and id > :after
order by id
limit :limit
