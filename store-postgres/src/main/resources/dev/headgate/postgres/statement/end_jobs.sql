with ended as (
    select *
    from unnest(
        :job::bigint[], :epoch::bigint[], :state::text[], :result::text[], :detail::text[], :is_lost::bigint[]
    ) as e (job, epoch, new_state, result, new_detail, is_lost)
),
gone as (
    delete from headgate_job as j
    using ended e
    where j.id = e.job and j.epoch = e.epoch and j.worker = :worker and j.state = 'RUNNING'
    returning j.*, e.new_state, e.result, e.new_detail, e.is_lost
)
insert into headgate_history (
    id, queue, gates, lane, type, payload, cost, priority, front, rank, state, enqueued_at, run_at,
    started_at, attempt, attempts_max, lost, epoch, worker, dedup_key, dedup_for, timeout,
    deadline, retry, labels, headers, frame, frame_revision, detail,
    finished_at, result
)
select
    id, queue, gates, lane, type, payload, cost, priority, front, rank, new_state, enqueued_at,
    run_at, started_at, attempt, attempts_max, lost + is_lost::int, epoch, worker, dedup_key, dedup_for,
    timeout, deadline, retry, labels, headers, frame, frame_revision, new_detail,
    :now, result
from gone
returning id
