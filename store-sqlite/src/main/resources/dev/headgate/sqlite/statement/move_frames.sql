-- What an ordinary step changes; save_frames writes all that can change, which costs twice as much.
update headgate_frame
set state = r.value ->> 'state',
    step = r.value ->> 'step',
    revision = r.value ->> 'revision',
    events = r.value ->> 'events',
    entered = r.value ->> 'entered',
    budget = r.value ->> 'budget'
from jsonb_each(:rows) r
where headgate_frame.id = r.value ->> 'id'
