select id, name, json, at
from headgate_signal
where run = :run and name = :name
order by id
limit 1
