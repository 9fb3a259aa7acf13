select id
from headgate_frame
where labels is not null and run = id and id < :before
order by id desc
limit 1 offset :rows
