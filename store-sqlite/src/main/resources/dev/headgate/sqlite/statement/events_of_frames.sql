select e.frame, e.number, e.at, e.kind, e.step, e.detail, e.state, e.spent
from jsonb_each(:rows) r
cross join headgate_event e
    on e.frame = r.value ->> 'frame' and e.number > r.value ->> 'after' and e.number <= r.value ->> 'until'
order by e.frame, e.number
