update headgate_job as j
set state = b.state,
    run_at = b.run_at,
    attempt = j.attempt - b.attempt_back::int,
    lost = j.lost + b.is_lost::int,
    worker = null,
    park_reason = b.reason,
    detail = coalesce(b.detail, j.detail)
from unnest(
    :job::bigint[], :epoch::bigint[], :state::text[], :run_at::bigint[],
    :attempt_back::bigint[], :is_lost::bigint[], :reason::text[], :detail::text[]
) as b (job, epoch, state, run_at, attempt_back, is_lost, reason, detail)
where j.id = b.job and j.epoch = b.epoch and j.worker = :worker and j.state = 'RUNNING'
returning
    j.id, j.queue, j.gates, j.rank, j.cost, j.attempt, j.started_at, j.margin
