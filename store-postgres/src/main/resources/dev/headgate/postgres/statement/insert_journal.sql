insert into headgate_journal (gate, at, kind, starts, units, leases, in_use, started_at, margin, policy, keep_until)
select gate, at, kind, starts, units, leases, in_use, started_at, margin, policy, keep_until
from unnest(
    :gate::text[], :at::bigint[], :kind::text[], :starts::bigint[], :units::bigint[],
    :leases::bigint[], :in_use::bigint[], :started_at::bigint[], :margin::bigint[], :policy::text[], :keep_until::bigint[]
) as j (gate, at, kind, starts, units, leases, in_use, started_at, margin, policy, keep_until)
