select id
from headgate_job
where frame = :frame
order by id
