select id, queue, gates, started_at
from headgate_history
where id < :before
order by id desc
limit :limit
