update headgate_job
set state = 'QUEUED'
where id = any(array(
    select id
    from headgate_job
    where state = 'SCHEDULED' and queue = any(:queues::text[]) and run_at <= :now
    order by run_at
    limit :limit
    for no key update skip locked
))
returning queue, gates, lane, rank, cost
