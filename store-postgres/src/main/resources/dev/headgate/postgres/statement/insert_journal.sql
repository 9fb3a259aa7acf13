insert into headgate_journal (gate, at, kind, starts, units, leases, in_use, started_at, margin, policy, version, keep_until, number, hash)
select gate, at, kind, starts, units, leases, in_use, started_at, margin, policy, version, keep_until, number, hash
from unnest(
    :gate::text[], :at::bigint[], :kind::text[], :starts::bigint[], :units::bigint[],
    :leases::bigint[], :in_use::bigint[], :started_at::bigint[], :margin::bigint[], :policy::text[],
    :version::bigint[], :keep_until::bigint[], :number::bigint[], :hash::text[]
) as j (gate, at, kind, starts, units, leases, in_use, started_at, margin, policy, version, keep_until, number, hash)
