-- Only enqueues for the same capped key wait for each other; claims never do. A transaction that sees the store as
-- it was at its beginning would count too few: it gets no lock, and its isolation level is the answer.
select
    current_setting('transaction_isolation'),
    case
        when current_setting('transaction_isolation') = 'read committed'
            then pg_advisory_xact_lock(hashtextextended('headgate backlog ' || k.key, 7216049812304982))::text
    end
from (select unnest(:keys::text[]) as key order by 1) k
