select key
from headgate_gate
where wake_at is not null and wake_at <= :now
order by wake_at
limit :limit
