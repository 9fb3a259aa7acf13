-- So many of the newest that have labels are looked at: the others are not in the index.
select id
from (
    select id, queue, type, state, gates, labels
    from headgate_job indexed by headgate_job_labelled
    where labels is not null and id < :before
    order by id desc
    limit :look
) j
where (:queue is null or queue = :queue)
    and (:type is null or type = :type)
    and (:state is null or state = :state)
    and (:gate is null or instr(char(10) || gates || char(10), :gate) > 0)
    and not exists (select 1 from json_each(:labels) w where instr(j.labels, w.value) = 0)
order by id desc
limit :limit
