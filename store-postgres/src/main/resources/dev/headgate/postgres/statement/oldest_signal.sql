select id, name, json
from headgate_signal
where run = :run and name = :name
order by id
limit 1
