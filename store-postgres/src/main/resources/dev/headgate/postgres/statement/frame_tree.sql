-- By root and id as a pair: where one run has most of the frames, the planner would walk over all of them in the order of their ids.
select
    id, root, run, name, parent, fork, place, depth, workflow, version, queue, priority, key, labels, headers, state,
    phase, step, revision, events, entered, awaits, due_at, children, started_at, ended_at, result,
    detail, budget, halt
from headgate_frame
where parent is not null and (root, id) > (:root, :after) and (root, id) < (:root::bigint + 1, 0)
order by root, id
limit :limit
