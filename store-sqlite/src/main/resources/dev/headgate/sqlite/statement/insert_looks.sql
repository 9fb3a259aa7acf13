insert into headgate_look (job)
select value
from json_each(:jobs)
where true
on conflict (job) do nothing
