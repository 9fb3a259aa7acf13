-- What stands behind the payload in a row is not read: a long payload would have to be read for it.
select queue, gates, type, 0, count(*)
from (
    select queue, gates, type
    from headgate_job
    where id > :after and id <= :up_to
    union all
    select queue, gates, type
    from headgate_history
    where id > :after and id <= :up_to
) n
group by queue, gates, type
