select
    j.id, j.queue, j.gates, j.rank, j.cost, j.attempt, j.started_at, j.margin
from jsonb_each(:rows) r
cross join headgate_job j
    on j.id = r.value ->> 'job'
    and j.epoch = r.value ->> 'epoch'
    and j.worker = :worker
    and j.state = 'RUNNING'
order by j.id
