update headgate_job
set progress = coalesce(:percent::int, progress),
    progress_message = coalesce(:message::text, progress_message)
where id = :job and epoch = :epoch and worker = :worker and state = 'RUNNING'
