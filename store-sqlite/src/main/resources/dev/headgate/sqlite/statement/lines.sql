select
    id, queue, gates, state, rank, cost, waiting_at, since, passes
from headgate_lane
where waiting_at = :gate and state = 'WAITING'
order by rank
limit :per_gate
