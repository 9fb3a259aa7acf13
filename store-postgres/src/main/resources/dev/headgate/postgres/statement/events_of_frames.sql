-- The fence (offset 0) leaves one way to them: by primary key, frame by frame.
select e.frame, e.number, e.at, e.kind, e.step, e.detail, e.state, e.spent
from unnest(:frame::bigint[], :after::bigint[], :until::bigint[]) as r (frame, after, until)
cross join lateral (
    select frame, number, at, kind, step, detail, state, spent
    from headgate_event
    where frame = r.frame and number > r.after and number <= r.until
    offset 0
) e
order by e.frame, e.number
