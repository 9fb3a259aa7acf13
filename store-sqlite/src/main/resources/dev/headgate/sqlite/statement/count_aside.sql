select queue, state, count(*)
from (
    select queue, state
    from (
        select queue, state
        from headgate_job
        where state in ('AWAITING', 'SCHEDULED', 'PARKED') and state = 'AWAITING'
        order by id desc
        limit :look
    )
    union all
    select queue, state
    from (
        select queue, state
        from headgate_job
        where state in ('AWAITING', 'SCHEDULED', 'PARKED') and state = 'SCHEDULED'
        order by id desc
        limit :look
    )
    union all
    select queue, state
    from (
        select queue, state
        from headgate_job
        where state in ('AWAITING', 'SCHEDULED', 'PARKED') and state = 'PARKED'
        order by id desc
        limit :look
    )
) j
group by queue, state
