select id
from headgate_job
where (:queue is null or queue = :queue)
    and (:type is null or type = :type)
    and (:state is null or state = :state)
    and (:before is null or id < :before)
order by id desc
limit :limit
