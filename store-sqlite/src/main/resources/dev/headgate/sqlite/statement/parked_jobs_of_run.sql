select j.id
from headgate_frame f
join headgate_job j on j.frame = f.id
where (f.id = :root or (f.root = :root and f.parent is not null)) and j.state = 'PARKED' and j.park_reason = 'PAUSED'
order by j.id
