select l.queue, count(*)
from headgate_lane l
join headgate_job j on j.lane = l.id and j.state = 'QUEUED'
where l.state = 'WAITING' and l.queue in (select value from json_each(:queues))
group by l.queue
order by l.queue
