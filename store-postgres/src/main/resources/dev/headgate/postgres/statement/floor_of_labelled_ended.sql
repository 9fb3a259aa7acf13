select id
from headgate_history
where labels is not null and id < :before
order by id desc
limit 1 offset :rows
