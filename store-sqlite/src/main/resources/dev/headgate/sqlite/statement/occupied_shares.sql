select r.value ->> 'queue', r.value ->> 'share'
from jsonb_each(:rows) r
where exists (
    select 1
    from headgate_lane
    where queue = r.value ->> 'queue' and share = r.value ->> 'share' and state = 'READY'
)
