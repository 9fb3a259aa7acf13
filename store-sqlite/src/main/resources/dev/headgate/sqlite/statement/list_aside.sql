-- The index has no gates: they are read of those that match otherwise.
select id
from (
    select id, queue, type
    from headgate_job
    where state in ('AWAITING', 'SCHEDULED', 'PARKED') and state = :state and id < :before
    order by id desc
    limit :look
) j
where (:queue is null or queue = :queue)
    and (:type is null or type = :type)
    and (:gate is null or instr(char(10) || (select g.gates from headgate_job g where g.id = j.id) || char(10), :gate) > 0)
order by id desc
limit :limit
