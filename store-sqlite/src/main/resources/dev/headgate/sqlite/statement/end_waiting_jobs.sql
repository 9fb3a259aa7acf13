insert into headgate_history (
    id, queue, gates, lane, type, payload, cost, priority, front, rank, state, enqueued_at, run_at,
    started_at, attempt, attempts_max, lost, epoch, worker, dedup_key, dedup_for, timeout,
    deadline, retry, labels, headers, frame, frame_revision, detail,
    finished_at
)
select
    j.id, j.queue, j.gates, j.lane, j.type, j.payload, j.cost, j.priority, j.front, j.rank, 'CANCELLED',
    j.enqueued_at, j.run_at, j.started_at, j.attempt, j.attempts_max, j.lost, j.epoch, j.worker, j.dedup_key,
    j.dedup_for, j.timeout, j.deadline, j.retry, j.labels, j.headers, j.frame, j.frame_revision, r.value ->> 'detail',
    :now
from jsonb_each(:rows) r
cross join headgate_job j on j.id = r.value ->> 'job' and j.state in ('SCHEDULED', 'QUEUED', 'PARKED')
-- then
delete from headgate_job
where id in (select value ->> 'job' from jsonb_each(:rows)) and state in ('SCHEDULED', 'QUEUED', 'PARKED')
