update headgate_job
set state = 'QUEUED',
    run_at = :now,
    park_reason = null
where id in (select value from json_each(:jobs)) and state = 'PARKED'
returning queue, gates, lane, rank, cost
