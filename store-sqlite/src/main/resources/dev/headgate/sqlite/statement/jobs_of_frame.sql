select id
from headgate_job
where frame = :frame and state <> 'RUNNING'
order by id
