select :job
where not exists (
    select 1
    from headgate_job
    where id = :job and epoch = :epoch and worker = :worker and state = 'RUNNING' and cancel_requested = 0
)
