-- What an ordinary step changes; save_frames writes all that can change.
update headgate_frame as f
set state = r.state,
    step = r.step,
    revision = r.revision,
    events = r.events,
    entered = r.entered,
    budget = r.budget
from unnest(
    :id::bigint[], :state::text[], :step::text[], :revision::bigint[], :events::bigint[], :entered::bigint[], :budget::text[]
) as r (id, state, step, revision, events, entered, budget)
where f.id = r.id
