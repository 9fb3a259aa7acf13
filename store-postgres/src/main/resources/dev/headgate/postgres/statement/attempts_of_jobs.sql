select job, number, epoch, worker, started_at, ended_at, outcome, error
from headgate_attempt
where job = any(:jobs::bigint[])
order by job, epoch
