-- Grouped by place: the expression with parameters would not be known as the same one.
select queue, gates, type, enqueued_at / :span * :span as at, count(*)
from (
    select queue, gates, type, enqueued_at
    from headgate_job
    where id > :after and id <= :up_to
    union all
    select queue, gates, type, enqueued_at
    from headgate_history
    where id > :after and id <= :up_to
) n
group by queue, gates, type, at
