update headgate_job
set state = 'AWAITING'
where id in (select value from json_each(:ids))
    and state = 'QUEUED'
    and exists (select 1 from headgate_edge e where e.job = headgate_job.id and e.outcome is null)
returning id
