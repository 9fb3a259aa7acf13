select count(*)
from (
    select 1
    from headgate_job
    where queue = :name and capped_queue = 1 and state in ('AWAITING', 'SCHEDULED', 'QUEUED')
    order by id
    limit :max
) b
