-- Queues that have jobs, as far as that can be told without looking at them all: those of lanes, and of the oldest jobs.
select queue
from (
    select queue
    from headgate_lane
    where state = 'READY'
    limit 100000
) r
union
select queue
from (
    select queue
    from headgate_lane
    where state = 'WAITING'
    limit 100000
) w
union
select queue
from (
    select queue
    from headgate_arrival
    order by id
    limit :look
) a
union
select queue
from (
    select queue
    from headgate_job
    order by id
    limit :look
) j
