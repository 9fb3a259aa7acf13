select id, gate, at, kind, starts, units, leases, in_use, started_at, margin, policy, version, keep_until, number, hash
from headgate_journal
where gate = :gate and id > :after
order by id
limit :limit
