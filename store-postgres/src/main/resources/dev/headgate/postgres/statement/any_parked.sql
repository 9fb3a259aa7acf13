select 1
from headgate_job
where state = 'PARKED' and park_reason = :reason and type = any(:types::text[])
limit 1
