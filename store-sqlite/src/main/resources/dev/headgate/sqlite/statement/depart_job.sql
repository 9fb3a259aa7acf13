update headgate_job
set started_at = :started_at, margin = :margin
where id = :job and epoch = :epoch and worker = :worker and state = 'RUNNING'
