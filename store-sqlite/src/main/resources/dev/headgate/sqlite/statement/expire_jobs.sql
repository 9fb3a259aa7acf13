insert into headgate_history (
    id, queue, gates, lane, type, payload, cost, priority, front, rank, state, enqueued_at, run_at,
    started_at, attempt, attempts_max, lost, epoch, worker, dedup_key, dedup_for, timeout,
    deadline, retry, labels, headers, frame, frame_revision, detail,
    finished_at
)
select
    id, queue, gates, lane, type, payload, cost, priority, front, rank, 'FAILED', enqueued_at,
    run_at, started_at, attempt, attempts_max, lost, epoch, worker, dedup_key, dedup_for, timeout,
    deadline, retry, labels, headers, frame, frame_revision,
    case attempt
        when 0 then 'deadline passed before it started'
        else 'deadline passed before attempt ' || (attempt + 1) || '; attempt ' || attempt || ' did not succeed'
    end,
    :now
from headgate_job
where state in ('AWAITING', 'SCHEDULED', 'QUEUED', 'PARKED') and deadline is not null and deadline <= :now
order by deadline
limit :limit
returning id, queue, gates, lane, rank, cost
-- then
delete from headgate_job
where state in ('AWAITING', 'SCHEDULED', 'QUEUED', 'PARKED') and deadline is not null and deadline <= :now
    and id in (select id from headgate_history where finished_at = :now and state = 'FAILED')
