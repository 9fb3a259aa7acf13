select
    id, queue, gates, state, rank, cost, waiting_at, since, passes
from headgate_lane
where id = :lane
