-- Two statements where PostgreSQL needs one: SQLite cannot delete and insert in the same.
insert into headgate_history (
    id, queue, gates, lane, type, payload, cost, priority, front, rank, state, enqueued_at, run_at,
    started_at, attempt, attempts_max, lost, epoch, worker, dedup_key, dedup_for, timeout,
    deadline, retry, detail,
    finished_at, result
)
select
    id, queue, gates, lane, type, payload, cost, priority, front, rank, :state, enqueued_at,
    run_at, started_at, attempt, attempts_max, lost, epoch, worker, dedup_key, dedup_for, timeout,
    deadline, retry, :detail,
    :now, :result
from headgate_job
where id = :job and epoch = :epoch and worker = :worker and state = 'RUNNING'
returning
    id, queue, gates, lane, rank, cost, attempt, started_at
-- then
delete from headgate_job
where id = :job and epoch = :epoch and worker = :worker and state = 'RUNNING'
