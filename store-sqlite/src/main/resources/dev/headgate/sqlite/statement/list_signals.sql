select id, name, json, at
from headgate_signal
where run = :run
order by id
limit :limit
