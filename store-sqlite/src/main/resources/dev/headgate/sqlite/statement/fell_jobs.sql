insert into headgate_history (
    id, queue, gates, lane, type, payload, cost, priority, front, rank, state, enqueued_at, run_at,
    started_at, attempt, attempts_max, lost, epoch, worker, dedup_key, dedup_for, timeout,
    deadline, retry, labels, headers, detail,
    finished_at
)
select
    j.id, j.queue, j.gates, j.lane, j.type, j.payload, j.cost, j.priority, j.front, j.rank,
    r.value ->> 'state', j.enqueued_at, j.run_at, j.started_at, j.attempt, j.attempts_max, j.lost,
    j.epoch, j.worker, j.dedup_key, j.dedup_for, j.timeout, j.deadline, j.retry, j.labels, j.headers,
    r.value ->> 'detail',
    :now
from jsonb_each(:rows) r
cross join headgate_job j on j.id = r.value ->> 'job' and j.state = 'AWAITING'
-- then
update headgate_edge
set fatal = 1
from jsonb_each(:rows) r
where headgate_edge.job = r.value ->> 'job' and headgate_edge.dependency = r.value ->> 'dependency'
-- then
delete from headgate_job
where state = 'AWAITING' and id in (select r.value ->> 'job' from jsonb_each(:rows) r)
