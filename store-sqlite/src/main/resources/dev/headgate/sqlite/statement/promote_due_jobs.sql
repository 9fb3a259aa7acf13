update headgate_job
set state = 'QUEUED'
where id in (
    select id
    from headgate_job
    where state = 'SCHEDULED' and queue in (select value from json_each(:queues)) and run_at <= :now
    order by run_at
    limit :limit
)
returning queue, gates, lane, rank, cost
