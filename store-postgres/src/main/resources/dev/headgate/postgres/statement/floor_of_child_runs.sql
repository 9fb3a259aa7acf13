select id
from headgate_frame
where parent is not null and run = id and workflow = :workflow and id < :before
order by id desc
limit 1 offset :rows
