select queue, state, count(*)
from (
    select queue, state
    from (
        select queue, state
        from headgate_history
        where state in ('FAILED', 'CANCELLED') and state = 'FAILED'
        order by id desc
        limit :look
    )
    union all
    select queue, state
    from (
        select queue, state
        from headgate_history
        where state in ('FAILED', 'CANCELLED') and state = 'CANCELLED'
        order by id desc
        limit :look
    )
) j
group by queue, state
