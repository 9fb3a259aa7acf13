select l.job
from unnest(:job::bigint[], :epoch::bigint[]) as l (job, epoch)
left join headgate_job j
    on j.id = l.job and j.epoch = l.epoch and j.worker = :worker and j.state = 'RUNNING'
where j.id is null or j.cancel_requested = 1
