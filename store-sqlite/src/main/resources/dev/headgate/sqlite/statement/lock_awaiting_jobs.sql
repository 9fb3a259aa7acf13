select id
from headgate_job
where id in (select value from json_each(:ids)) and state = 'AWAITING'
order by id
