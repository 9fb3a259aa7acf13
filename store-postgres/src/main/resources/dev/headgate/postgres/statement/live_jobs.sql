select id
from headgate_job
where id = any(:ids::bigint[])
order by id
