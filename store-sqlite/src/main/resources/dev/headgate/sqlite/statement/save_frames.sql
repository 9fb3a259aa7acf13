update headgate_frame
set state = r.value ->> 'state',
    phase = r.value ->> 'phase',
    step = r.value ->> 'step',
    revision = r.value ->> 'revision',
    events = r.value ->> 'events',
    entered = r.value ->> 'entered',
    awaits = r.value ->> 'awaits',
    due_at = r.value ->> 'due_at',
    children = r.value ->> 'children',
    ended_at = r.value ->> 'ended_at',
    result = r.value ->> 'result',
    detail = r.value ->> 'detail',
    budget = r.value ->> 'budget',
    halt = r.value ->> 'halt'
from jsonb_each(:rows) r
where headgate_frame.id = r.value ->> 'id'
