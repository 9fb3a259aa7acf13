update headgate_job
set state = 'QUEUED',
    run_at = :now,
    park_reason = null
where id in (
    select id
    from headgate_job
    where state = 'PARKED' and park_reason = :reason
    limit :limit
)
returning queue, gates, lane, rank, cost
