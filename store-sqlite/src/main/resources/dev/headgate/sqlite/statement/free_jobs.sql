-- The rows are locked by an earlier statement, so this one sees every edge that others have settled before. What was due
-- when it was enqueued is due, though whoever frees it may have read the clock before that.
update headgate_job
set state = case when run_at > max(:now, enqueued_at) then 'SCHEDULED' else 'QUEUED' end,
    run_at = max(run_at, :now)
where id in (select value from json_each(:ids))
    and state = 'AWAITING'
    and not exists (select 1 from headgate_edge e where e.job = headgate_job.id and e.outcome is null)
returning id, state, queue, gates, lane, rank, cost
