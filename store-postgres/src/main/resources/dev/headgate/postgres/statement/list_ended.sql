-- So many of the newest are looked at, and those that match are the answer.
select id
from (
    select id, queue, type, state, gates
    from headgate_history
    where id < :before
    order by id desc
    limit :look
) j
where (:queue::text is null or queue = :queue::text)
    and (:type::text is null or type = :type::text)
    and (:state::text is null or state = :state::text)
    and (:gate::text is null or strpos(E'\n' || gates || E'\n', :gate::text) > 0)
order by id desc
limit :limit
