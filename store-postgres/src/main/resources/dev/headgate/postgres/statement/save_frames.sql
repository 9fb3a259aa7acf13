update headgate_frame as f
set state = r.state,
    phase = r.phase,
    step = r.step,
    revision = r.revision,
    events = r.events,
    entered = r.entered,
    awaits = r.awaits,
    due_at = r.due_at,
    children = r.children,
    ended_at = r.ended_at,
    result = r.result,
    detail = r.detail,
    budget = r.budget,
    halt = r.halt
from unnest(
    :id::bigint[], :state::text[], :phase::text[], :step::text[], :revision::bigint[],
    :events::bigint[], :entered::bigint[], :awaits::text[], :due_at::bigint[], :children::text[],
    :ended_at::bigint[], :result::text[], :detail::text[], :budget::text[], :halt::text[]
) as r (
    id, state, phase, step, revision, events, entered, awaits, due_at, children, ended_at, result,
    detail, budget, halt
)
where f.id = r.id
