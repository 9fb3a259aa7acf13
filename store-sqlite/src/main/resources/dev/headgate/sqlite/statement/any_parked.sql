select 1
from headgate_job
where state = 'PARKED' and park_reason = :reason and type in (select value from json_each(:types))
limit 1
