select
    id, queue, gates, state, rank, cost, waiting_at, since, passes, share
from headgate_lane
where (state = 'READY' and 'queue:' || queue = :place) or (state = 'WAITING' and waiting_at = :place)
order by rank, id
