select id
from headgate_history
where id in (select value from json_each(:ids))
order by id
