select queue, gates, cost, count(*)
from headgate_job
where state = 'RUNNING'
group by queue, gates, cost
