-- Shared with every other claim, exclusive for a change of policy; ends with the transaction, so poolers are fine.
select pg_advisory_xact_lock_shared(7216049812304981)
