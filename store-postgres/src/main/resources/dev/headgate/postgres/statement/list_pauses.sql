select key, since, author, reason
from headgate_pause
order by key
