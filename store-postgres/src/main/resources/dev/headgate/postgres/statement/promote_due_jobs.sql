-- One that was never leased takes its place now, unless it keeps that of its enqueue: it draws a number as new jobs do. The
-- numbers are drawn in the order of the list, which is a list so that the rows are found by their ids, however many are due.
with due as (
    select id, run_at, case when epoch = 0 and front < 2 then 1 else 0 end as is_new
    from headgate_job
    where state = 'SCHEDULED' and queue = any(:queues::text[]) and run_at <= :now
    order by run_at, id
    limit :limit
    for no key update skip locked
),
listed as (
    select array_agg(id order by run_at, id) as ids, array_agg(is_new order by run_at, id) as news
    from due
)
update headgate_job as j
set state = 'QUEUED',
    rank = coalesce(
        n.number - j.priority * 1048576 - case when j.front & 1 = 1 then 262145 + 2 * (n.number % 262144) else 0 end,
        j.rank
    )
from (
    select d.id, case when d.is_new = 1 then nextval('headgate_job_id') end as number
    from listed
    cross join lateral unnest(listed.ids, listed.news) as d (id, is_new)
) n
where j.id = n.id
returning j.queue, j.gates, j.lane, j.rank, j.cost
