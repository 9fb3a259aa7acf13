select id
from headgate_history
where state in ('FAILED', 'CANCELLED') and state = :state and id < :before
order by id desc
limit 1 offset :rows
