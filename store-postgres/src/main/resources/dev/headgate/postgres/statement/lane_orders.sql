select 'queue:' || queue
from headgate_lane
where state = 'READY'
union
select waiting_at
from headgate_lane
where state = 'WAITING'
