-- Of the live jobs with the lowest numbers: how many each queue has, and since when the first of those that wait is due.
select queue, min(case when state = 'QUEUED' then run_at end), count(*)
from (
    select queue, state, run_at
    from headgate_job
    order by id
    limit :look
) j
group by queue
order by queue
