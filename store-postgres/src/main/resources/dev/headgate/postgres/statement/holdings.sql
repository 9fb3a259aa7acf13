select queue, gates, count(*), sum(cost)::bigint
from headgate_job
where state = 'RUNNING'
group by queue, gates
