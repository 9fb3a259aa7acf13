update headgate_attempt as a
set outcome = :outcome,
    error = :error
from unnest(:job::bigint[], :epoch::bigint[]) as l (job, epoch)
where a.job = l.job and a.epoch = l.epoch and a.worker = :worker and a.outcome = 'lost'
returning a.job
