select
    j.id, j.queue, j.gates, j.rank, j.cost, j.attempt, j.started_at, j.margin
from headgate_job as j
join unnest(:job::bigint[], :epoch::bigint[]) as l (job, epoch) on j.id = l.job and j.epoch = l.epoch
where j.worker = :worker and j.state = 'RUNNING'
order by j.id
for update of j
