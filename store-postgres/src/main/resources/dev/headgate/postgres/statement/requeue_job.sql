-- One that is made due and was never leased takes its place now, unless it keeps that of its enqueue.
update headgate_job as j
set state = :state,
    run_at = :run_at,
    park_reason = null,
    rank = coalesce(
        n.number - j.priority * 1048576 - case when j.front & 1 = 1 then 262145 + 2 * (n.number % 262144) else 0 end,
        j.rank
    )
from (
    select
        id,
        case
            when state = 'SCHEDULED' and :state::text = 'QUEUED' and epoch = 0 and front < 2
                then nextval('headgate_job_id')
        end as number
    from headgate_job
    where id = :id and state in ('AWAITING', 'SCHEDULED', 'QUEUED', 'PARKED')
) n
where j.id = n.id
returning j.queue, j.gates, j.lane, j.rank, j.cost
