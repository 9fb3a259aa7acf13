select id
from headgate_frame indexed by headgate_frame_labelled
where labels is not null and run = id and id < :before
order by id desc
limit 1 offset :rows
