select job, number, epoch, worker, started_at, ended_at, outcome, error
from headgate_attempt
where job in (select value from json_each(:jobs))
order by job, epoch
