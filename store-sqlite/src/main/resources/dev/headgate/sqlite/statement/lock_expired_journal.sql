-- No later row of a gate is kept for less, so this is the order of each journal too.
select id, gate, number, hash
from headgate_journal
where keep_until < :now
order by keep_until, id
limit :limit
