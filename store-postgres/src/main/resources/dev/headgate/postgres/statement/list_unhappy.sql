-- The index has no gates: they are read of those that match otherwise.
select id
from (
    select id, queue, type
    from headgate_history
    where state in ('FAILED', 'CANCELLED') and state = :state and id < :before
    order by id desc
    limit :look
) j
where (:queue::text is null or queue = :queue::text)
    and (:type::text is null or type = :type::text)
    and (:gate::text is null or strpos(E'\n' || (select g.gates from headgate_history g where g.id = j.id) || E'\n', :gate::text) > 0)
order by id desc
limit :limit
