select
    id, root, run, name, parent, fork, place, depth, workflow, version, queue, priority, key, state,
    phase, step, revision, events, entered, awaits, due_at, children, started_at, ended_at, result,
    detail, budget, halt
from headgate_frame
where parent is null
    and (:workflow::text is null or workflow = :workflow::text)
    and (:state::text is null or coalesce(halt, case when phase = 'CANCELLING' and ended_at is null then phase else state end) = :state::text)
    and (:before::bigint is null or id < :before::bigint)
order by id desc
limit :limit
