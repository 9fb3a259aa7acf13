select queue, state, count(*)
from headgate_job
group by queue, state
order by queue, state
