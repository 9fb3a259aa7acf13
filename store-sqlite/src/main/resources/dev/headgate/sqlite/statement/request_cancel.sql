update headgate_job
set cancel_requested = 1
where id = :id and state = 'RUNNING'
