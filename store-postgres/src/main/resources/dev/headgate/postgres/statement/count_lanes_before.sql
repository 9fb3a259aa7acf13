select count(*)
from (
    select 1
    from headgate_lane
    where waiting_at = :gate and share = :share and state = 'WAITING' and rank < :rank
    order by rank
    limit :max
) b
