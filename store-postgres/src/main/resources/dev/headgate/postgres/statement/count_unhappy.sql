select j.queue, s.state, count(*)
from unnest(array['FAILED', 'CANCELLED']) as s (state)
cross join lateral (
    select queue
    from headgate_history
    where state in ('FAILED', 'CANCELLED') and state = s.state
    order by id desc
    limit :look
) j
group by j.queue, s.state
