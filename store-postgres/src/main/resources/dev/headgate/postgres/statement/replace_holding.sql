-- Travels with the commit, so its count is not read before that: if the row is no longer what was seen, it fails (22012),
-- and so does the transaction.
with replaced as (
    update headgate_worker
    set holding = :holding
    where id = :id and holding = :seen and lease_until > :now
    returning 1
)
select 1 / count(*)
from replaced
