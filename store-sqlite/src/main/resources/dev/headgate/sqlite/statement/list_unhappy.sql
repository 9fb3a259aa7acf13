select id
from (
    select id, queue, type
    from headgate_history
    where state in ('FAILED', 'CANCELLED') and state = :state and id < :before
    order by id desc
    limit :look
) j
where (:queue is null or queue = :queue)
    and (:type is null or type = :type)
order by id desc
limit :limit
