update headgate_job
set state = 'QUEUED',
    run_at = :now,
    park_reason = null
where id = any(:jobs::bigint[]) and state = 'PARKED'
returning queue, gates, lane, rank, cost
