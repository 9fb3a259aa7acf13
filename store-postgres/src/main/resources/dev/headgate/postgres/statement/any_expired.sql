select 1
from headgate_job
where state in ('AWAITING', 'SCHEDULED', 'QUEUED', 'PARKED') and deadline is not null and deadline <= :now
limit 1
