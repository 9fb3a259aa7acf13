select count(*)
from (
    select 1
    from headgate_job
    where capped_gate = :name and capped_gate is not null and state in ('AWAITING', 'SCHEDULED', 'QUEUED')
    order by id
    limit :max
) b
