select queue, state, count(*)
from (
    select queue, state
    from headgate_history
    order by id desc
    limit :look
) j
group by queue, state
order by queue, state
