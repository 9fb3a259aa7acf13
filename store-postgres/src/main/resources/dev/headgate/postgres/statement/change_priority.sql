-- A step of priority is a head start of so many jobs: the place moves by that, and keeps its age.
update headgate_job
set rank = rank + (priority - :priority::bigint) * 1048576,
    priority = :priority::bigint
where id = :id and state in ('AWAITING', 'SCHEDULED', 'QUEUED', 'PARKED')
returning queue, gates, lane, rank, cost
