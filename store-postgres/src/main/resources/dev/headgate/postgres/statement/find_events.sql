select e.frame, e.number, e.at, e.kind, e.step, e.detail, e.state, e.spent
from unnest(:frame::bigint[], :number::bigint[]) as r (frame, number)
join headgate_event e on e.frame = r.frame and e.number = r.number
order by e.frame
