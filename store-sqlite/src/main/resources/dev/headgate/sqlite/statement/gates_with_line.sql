select g.value
from json_each(:gates) g
where exists (
    select 1
    from headgate_lane
    where waiting_at = g.value and state = 'WAITING'
)
