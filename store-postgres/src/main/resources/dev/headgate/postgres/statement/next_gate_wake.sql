select min(wake_at)
from headgate_gate
where wake_at is not null
