update headgate_job
set state = :state,
    run_at = :run_at,
    attempt = attempt - :attempt_back,
    lost = lost + :is_lost,
    worker = null,
    park_reason = :reason,
    detail = coalesce(:detail, detail)
where id = :job and epoch = :epoch and worker = :worker and state = 'RUNNING'
returning
    id, queue, gates, lane, rank, cost, attempt, started_at
