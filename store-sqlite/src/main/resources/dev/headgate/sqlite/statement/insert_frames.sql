insert into headgate_frame (
    id, root, run, name, parent, fork, place, depth, workflow, version, queue, priority, key, labels, headers, state,
    phase, step, revision, events, entered, awaits, due_at, children, started_at, ended_at, result,
    detail, budget, halt
)
select
    r.value ->> 'id',
    r.value ->> 'root',
    r.value ->> 'run',
    r.value ->> 'name',
    r.value ->> 'parent',
    r.value ->> 'fork',
    r.value ->> 'place',
    r.value ->> 'depth',
    r.value ->> 'workflow',
    r.value ->> 'version',
    r.value ->> 'queue',
    r.value ->> 'priority',
    r.value ->> 'key',
    r.value ->> 'labels',
    r.value ->> 'headers',
    r.value ->> 'state',
    r.value ->> 'phase',
    r.value ->> 'step',
    r.value ->> 'revision',
    r.value ->> 'events',
    r.value ->> 'entered',
    r.value ->> 'awaits',
    r.value ->> 'due_at',
    r.value ->> 'children',
    r.value ->> 'started_at',
    r.value ->> 'ended_at',
    r.value ->> 'result',
    r.value ->> 'detail',
    r.value ->> 'budget',
    r.value ->> 'halt'
from jsonb_each(:rows) r
where true
on conflict (workflow, key) where key is not null do nothing
returning id
