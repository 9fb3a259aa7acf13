-- Key share: it keeps the row from being deleted, and nothing else.
select id
from headgate_history
where id = any(:ids::bigint[])
order by id
for key share
