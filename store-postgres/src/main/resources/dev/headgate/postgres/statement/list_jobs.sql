select id
from headgate_job
where (:queue::text is null or queue = :queue::text)
    and (:type::text is null or type = :type::text)
    and (:state::text is null or state = :state::text)
    and (:before::bigint is null or id < :before::bigint)
order by id desc
limit :limit
