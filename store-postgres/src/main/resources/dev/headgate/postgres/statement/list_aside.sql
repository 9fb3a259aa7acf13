select id
from (
    select id, queue, type
    from headgate_job
    where state in ('AWAITING', 'SCHEDULED', 'PARKED') and state = :state and id < :before
    order by id desc
    limit :look
) j
where (:queue::text is null or queue = :queue::text)
    and (:type::text is null or type = :type::text)
order by id desc
limit :limit
