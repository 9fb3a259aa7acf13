with gone as (
    delete from headgate_job as j
    using unnest(:job::bigint[], :detail::text[]) as r (job, new_detail)
    where j.id = r.job and j.state in ('SCHEDULED', 'QUEUED', 'PARKED')
    returning j.*, r.new_detail
)
insert into headgate_history (
    id, queue, gates, lane, type, payload, cost, priority, front, rank, state, enqueued_at, run_at,
    started_at, attempt, attempts_max, lost, epoch, worker, dedup_key, dedup_for, timeout,
    deadline, retry, labels, headers, frame, frame_revision, detail,
    finished_at
)
select
    id, queue, gates, lane, type, payload, cost, priority, front, rank, 'CANCELLED', enqueued_at,
    run_at, started_at, attempt, attempts_max, lost, epoch, worker, dedup_key, dedup_for, timeout,
    deadline, retry, labels, headers, frame, frame_revision, new_detail,
    :now
from gone
