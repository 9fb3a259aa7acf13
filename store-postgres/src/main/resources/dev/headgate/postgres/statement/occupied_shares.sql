-- Without a lock, unlike lock_ready_lanes: a lane that another transaction has locked has not gone.
select q.queue, q.share
from unnest(:queue::text[], :share::text[]) as q (queue, share)
where exists (
    select
    from headgate_lane
    where queue = q.queue and share = q.share and state = 'READY'
)
