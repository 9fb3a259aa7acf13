select queue, gates, count(*), sum(cost)
from headgate_job
where state = 'RUNNING'
group by queue, gates
