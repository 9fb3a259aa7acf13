update headgate_job
set state = 'PARKED',
    park_reason = :reason,
    detail = :detail
where id = :job and state = 'QUEUED'
