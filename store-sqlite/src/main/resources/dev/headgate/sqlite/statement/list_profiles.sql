select type, needs, expected, runs, updated_at
from headgate_profile
order by type
