update headgate_job
set state = 'AWAITING'
where id = any(:ids::bigint[])
    and state = 'QUEUED'
    and exists (select 1 from headgate_edge e where e.job = headgate_job.id and e.outcome is null offset 0)
returning id
