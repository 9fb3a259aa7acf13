select j.queue, 'RUNNING', count(*)
from (
    -- each is told by its distance from the one before
    select w.id as worker, sum(d.value) over (partition by w.id order by d.key) as job
    from headgate_worker w
    cross join json_each('[' || replace(w.holding, ' ', ',') || ']') d
) h
cross join headgate_job j on j.id = h.job and j.state = 'RUNNING' and j.worker = h.worker
group by j.queue
