select id
from headgate_history
where id < :before
order by id desc
limit 1 offset :rows
