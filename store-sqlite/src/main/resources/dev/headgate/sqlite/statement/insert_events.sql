insert into headgate_event (frame, number, at, kind, step, detail, state, spent)
select
    r.value ->> 'frame',
    r.value ->> 'number',
    r.value ->> 'at',
    r.value ->> 'kind',
    r.value ->> 'step',
    r.value ->> 'detail',
    r.value ->> 'state',
    r.value ->> 'spent'
from jsonb_each(:rows) r
