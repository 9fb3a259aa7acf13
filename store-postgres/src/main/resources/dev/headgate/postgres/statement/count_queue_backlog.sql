-- In order, here and in its like: else a bitmap of all of them is made before the first is counted.
select count(*)
from (
    select 1
    from headgate_job
    where queue = :name and capped_queue = 1 and state in ('AWAITING', 'SCHEDULED', 'QUEUED')
    order by id
    limit :max
) b
