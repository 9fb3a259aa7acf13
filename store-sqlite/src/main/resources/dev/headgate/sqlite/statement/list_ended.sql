-- So many of the newest are looked at, and those that match are the answer.
select id
from (
    select id, queue, type, state, gates
    from headgate_history
    where id < :before
    order by id desc
    limit :look
) j
where (:queue is null or queue = :queue)
    and (:type is null or type = :type)
    and (:state is null or state = :state)
    and (:gate is null or instr(char(10) || gates || char(10), :gate) > 0)
order by id desc
limit :limit
