select finished_at, id
from headgate_history
where finished_at < :before
    and (finished_at, id) > (:at, :id)
    and (queue in (select value from json_each(:queues))) = (:among = 1)
order by finished_at, id
limit :limit
