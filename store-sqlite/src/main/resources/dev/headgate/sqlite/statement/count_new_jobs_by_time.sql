select queue, gates, type, enqueued_at / :span * :span, count(*)
from (
    select queue, gates, type, enqueued_at
    from headgate_job
    where id > :after and id <= :up_to
    union all
    select queue, gates, type, enqueued_at
    from headgate_history
    where id > :after and id <= :up_to
) n
group by queue, gates, type, enqueued_at / :span * :span
