select number, epoch, worker, started_at, ended_at, outcome, error
from headgate_attempt
where job = :job
order by epoch
