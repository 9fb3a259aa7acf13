select finished_at, id, queue, type, state
from headgate_history
where finished_at <= :until
    and (finished_at, id) > (:at, :id)
order by finished_at, id
limit :limit
