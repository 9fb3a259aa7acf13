select id
from headgate_job indexed by headgate_job_labelled
where labels is not null and id < :before
order by id desc
limit 1 offset :rows
