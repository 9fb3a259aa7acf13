select count(*)
from (
    select 1
    from headgate_job
    where lane = :lane and state = 'QUEUED' and rank < :rank
    order by rank
    limit :max
) b
