update headgate_schedule as s
set paused = m.paused,
    settled_at = m.settled_at,
    next_at = m.next_at,
    last_at = m.last_at,
    note = m.note
from unnest(
    :name::text[], :paused::bigint[], :settled_at::bigint[], :next_at::bigint[], :last_at::bigint[], :note::text[]
) as m (name, paused, settled_at, next_at, last_at, note)
where s.name = m.name
