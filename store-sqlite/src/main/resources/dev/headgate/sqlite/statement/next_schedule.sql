select min(next_at)
from headgate_schedule
where next_at is not null
