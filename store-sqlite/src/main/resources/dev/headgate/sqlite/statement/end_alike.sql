-- Jobs that end alike, as most do that end together. Two statements where PostgreSQL needs one: SQLite cannot delete and
-- insert in the same.
insert into headgate_history (
    id, queue, gates, lane, type, payload, cost, priority, front, rank, state, enqueued_at, run_at,
    started_at, attempt, attempts_max, lost, epoch, worker, dedup_key, dedup_for, timeout,
    deadline, retry, labels, headers, frame, frame_revision, detail,
    finished_at, result
)
select
    id, queue, gates, lane, type, payload, cost, priority, front, rank, :state, enqueued_at,
    run_at, started_at, attempt, attempts_max, lost + :is_lost, epoch, worker, dedup_key, dedup_for,
    timeout, deadline, retry, labels, headers, frame, frame_revision, :detail,
    :now, :result
from headgate_job
where id in (select value from json_each(:jobs)) and epoch = :epoch and worker = :worker and state = 'RUNNING'
returning id
-- then
delete from headgate_job
where id in (select value from json_each(:jobs)) and epoch = :epoch and worker = :worker and state = 'RUNNING'
