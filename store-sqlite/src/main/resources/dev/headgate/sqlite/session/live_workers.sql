select name
from headgate_worker
where lease_until > cast(unixepoch('subsec') * 1000000 as integer)
order by name
