insert into headgate_look (job)
select distinct j
from unnest(:jobs::bigint[]) as j
order by j
on conflict (job) do nothing
