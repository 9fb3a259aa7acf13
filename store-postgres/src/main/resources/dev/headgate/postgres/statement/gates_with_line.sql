select g.key
from unnest(:gates::text[]) as g (key)
where exists (
    select
    from headgate_lane
    where waiting_at = g.key and state = 'WAITING'
)
