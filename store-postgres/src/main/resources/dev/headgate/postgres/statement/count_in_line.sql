select l.queue, count(*)
from headgate_lane l
join headgate_job j on j.lane = l.id and j.state = 'QUEUED'
where l.state = 'WAITING' and l.queue = any(:queues::text[])
group by l.queue
order by l.queue
