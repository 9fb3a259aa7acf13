select id, name, json
from headgate_signal
where run = :run
order by id
limit :limit
