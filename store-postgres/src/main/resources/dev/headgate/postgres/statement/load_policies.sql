select key, limits
from headgate_policy
order by key
