select id
from headgate_job
where state in ('AWAITING', 'SCHEDULED', 'PARKED') and state = :state and id < :before
order by id desc
limit 1 offset :rows
