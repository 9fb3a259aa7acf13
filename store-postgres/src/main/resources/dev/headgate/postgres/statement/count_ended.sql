select queue, state, count(*)
from headgate_history
group by queue, state
order by queue, state
