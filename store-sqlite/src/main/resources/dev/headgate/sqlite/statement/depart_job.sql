update headgate_job
set margin = :margin
where id = :job and epoch = :epoch and worker = :worker and state = 'RUNNING'
