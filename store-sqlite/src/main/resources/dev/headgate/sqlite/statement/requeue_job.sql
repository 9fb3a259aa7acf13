update headgate_job
set state = :state,
    run_at = :run_at,
    park_reason = null
where id = :id and state in ('AWAITING', 'SCHEDULED', 'QUEUED', 'PARKED')
