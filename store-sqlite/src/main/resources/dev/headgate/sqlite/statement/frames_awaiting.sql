select
    id, root, run, name, parent, fork, place, depth, workflow, version, queue, priority, key, labels, headers, state,
    phase, step, revision, events, entered, awaits, due_at, children, started_at, ended_at, result,
    detail, budget, halt
from headgate_frame
where run = :run and awaits = :signal and awaits is not null
order by id
