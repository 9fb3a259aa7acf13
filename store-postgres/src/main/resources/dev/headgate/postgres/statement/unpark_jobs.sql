update headgate_job
set state = 'QUEUED',
    run_at = :now,
    park_reason = null
where id = any(array(
    select id
    from headgate_job
    where state = 'PARKED' and park_reason = :reason
    limit :limit
    for no key update skip locked
))
returning queue, gates, lane, rank, cost
