-- Two statements where PostgreSQL needs one: SQLite cannot delete and insert in the same.
insert into headgate_history (
    id, queue, gates, lane, type, payload, cost, priority, front, rank, state, enqueued_at, run_at,
    started_at, attempt, attempts_max, lost, epoch, worker, dedup_key, dedup_for, timeout,
    deadline, retry, labels, headers, frame, frame_revision, detail,
    finished_at, result
)
select
    j.id, j.queue, j.gates, j.lane, j.type, j.payload, j.cost, j.priority, j.front, j.rank,
    r.value ->> 'state', j.enqueued_at, j.run_at, j.started_at, j.attempt, j.attempts_max,
    j.lost + (r.value ->> 'is_lost'), j.epoch, j.worker, j.dedup_key, j.dedup_for, j.timeout, j.deadline, j.retry, j.labels, j.headers, j.frame,
    j.frame_revision,
    r.value ->> 'detail',
    :now, r.value ->> 'result'
from jsonb_each(:rows) r
cross join headgate_job j
    on j.id = r.value ->> 'job'
    and j.epoch = r.value ->> 'epoch'
    and j.worker = :worker
    and j.state = 'RUNNING'
returning id
-- then
delete from headgate_job
where id in (
    select j.id
    from jsonb_each(:rows) r
    cross join headgate_job j
        on j.id = r.value ->> 'job'
        and j.epoch = r.value ->> 'epoch'
        and j.worker = :worker
        and j.state = 'RUNNING'
)
