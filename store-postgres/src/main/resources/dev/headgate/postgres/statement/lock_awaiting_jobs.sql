select id
from headgate_job
where id = any(:ids::bigint[]) and state = 'AWAITING'
order by id
for update
