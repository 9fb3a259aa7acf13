select id
from headgate_frame
where parent is null and id < :before
order by id desc
limit 1 offset :rows
