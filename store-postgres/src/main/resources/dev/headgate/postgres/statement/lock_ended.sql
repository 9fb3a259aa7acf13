select finished_at, id
from headgate_history
where finished_at < :before
    and (finished_at, id) > (:at, :id)
    and (queue = any(:queues::text[])) = (:among = 1)
order by finished_at, id
limit :limit
for update skip locked
