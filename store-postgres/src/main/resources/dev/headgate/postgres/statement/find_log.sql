select at, epoch, line
from headgate_log
where job = :job
order by id
