select id
from headgate_job
where id < :before
order by id desc
limit 1 offset :rows
