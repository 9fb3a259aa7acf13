select frame, number, at, kind, step, detail, state, spent
from headgate_event
where frame = :frame and number > :after
order by number
limit :limit
