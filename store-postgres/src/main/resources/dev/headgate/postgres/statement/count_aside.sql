select j.queue, s.state, count(*)
from unnest(array['AWAITING', 'SCHEDULED', 'PARKED']) as s (state)
cross join lateral (
    select queue
    from headgate_job
    where state in ('AWAITING', 'SCHEDULED', 'PARKED') and state = s.state
    order by id desc
    limit :look
) j
group by j.queue, s.state
