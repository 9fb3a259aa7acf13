insert into headgate_frame (
    id, root, run, name, parent, fork, place, depth, workflow, version, queue, priority, key, labels, headers, state,
    phase, step, revision, events, entered, awaits, due_at, children, started_at, ended_at, result,
    detail, budget, halt
)
select
    id, root, run, name, parent, fork, place, depth, workflow, version, queue, priority, key, labels, headers, state,
    phase, step, revision, events, entered, awaits, due_at, children, started_at, ended_at, result,
    detail, budget, halt
from unnest(
    :id::bigint[], :root::bigint[], :run::bigint[], :name::text[], :parent::bigint[],
    :fork::bigint[], :place::bigint[], :depth::bigint[], :workflow::text[], :version::bigint[],
    :queue::text[], :priority::bigint[], :key::text[], :labels::text[], :headers::text[], :state::text[], :phase::text[],
    :step::text[], :revision::bigint[], :events::bigint[], :entered::bigint[], :awaits::text[],
    :due_at::bigint[], :children::text[], :started_at::bigint[], :ended_at::bigint[],
    :result::text[], :detail::text[], :budget::text[], :halt::text[]
) as r (
    id, root, run, name, parent, fork, place, depth, workflow, version, queue, priority, key, labels, headers, state,
    phase, step, revision, events, entered, awaits, due_at, children, started_at, ended_at, result,
    detail, budget, halt
)
on conflict (workflow, key) where key is not null do nothing
returning id
