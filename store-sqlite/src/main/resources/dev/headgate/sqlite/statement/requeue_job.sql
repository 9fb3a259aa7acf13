-- One that is made due and was never leased takes its place now, unless it keeps that of its enqueue.
update sqlite_sequence
set seq = seq + 1
where name = 'headgate_job'
    and :state = 'QUEUED'
    and exists (select 1 from headgate_job where id = :id and state = 'SCHEDULED' and epoch = 0 and front < 2)
-- then
update headgate_job
set state = :state,
    run_at = :run_at,
    park_reason = null,
    rank = case
        when state = 'SCHEDULED' and :state = 'QUEUED' and epoch = 0 and front < 2
            then n.seq - priority * 1048576 - case when front & 1 = 1 then 262145 + 2 * (n.seq % 262144) else 0 end
        else rank
    end
from (select seq from sqlite_sequence where name = 'headgate_job') n
where id = :id and state in ('AWAITING', 'SCHEDULED', 'QUEUED', 'PARKED')
returning queue, gates, lane, rank, cost
