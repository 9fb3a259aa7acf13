select
    id, queue, gates, lane, rank, cost, attempt, started_at
from headgate_job
where id = :job and epoch = :epoch and worker = :worker and state = 'RUNNING'
