update headgate_job
set progress = coalesce(:percent, progress),
    progress_message = coalesce(:message, progress_message)
where id = :job and epoch = :epoch and worker = :worker and state = 'RUNNING'
