-- Only those who enqueue for the same capped key wait for each other; claims never do.
select pg_advisory_xact_lock(hashtextextended('headgate backlog ' || k.key, 7216049812304982))
from (select unnest(:keys::text[]) as key order by 1) k
