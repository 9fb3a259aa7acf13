update headgate_schedule
set paused = r.value ->> 'paused',
    settled_at = r.value ->> 'settled_at',
    next_at = r.value ->> 'next_at',
    last_at = r.value ->> 'last_at',
    note = r.value ->> 'note'
from jsonb_each(:rows) r
where headgate_schedule.name = r.value ->> 'name'
