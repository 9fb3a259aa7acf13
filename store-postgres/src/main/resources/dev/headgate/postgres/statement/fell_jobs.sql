with input as (
    select *
    from unnest(:job::bigint[], :dependency::bigint[], :state::text[], :detail::text[])
        as i (job, dependency, new_state, new_detail)
),
gone as (
    delete from headgate_job as j
    using input i
    where j.id = i.job and j.state = 'AWAITING'
    returning j.*, i.dependency, i.new_state, i.new_detail
),
marked as (
    update headgate_edge as e
    set fatal = 1
    from gone g
    where e.job = g.id and e.dependency = g.dependency
)
insert into headgate_history (
    id, queue, gates, lane, type, payload, cost, priority, front, rank, state, enqueued_at, run_at,
    started_at, attempt, attempts_max, lost, epoch, worker, dedup_key, dedup_for, timeout,
    deadline, retry, labels, headers, detail,
    finished_at
)
select
    id, queue, gates, lane, type, payload, cost, priority, front, rank, new_state, enqueued_at,
    run_at, started_at, attempt, attempts_max, lost, epoch, worker, dedup_key, dedup_for, timeout,
    deadline, retry, labels, headers, new_detail,
    :now
from gone
