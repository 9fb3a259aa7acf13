select waiting_at, count(*)
from headgate_lane
where state = 'WAITING'
group by waiting_at
order by waiting_at
