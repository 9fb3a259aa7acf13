insert into headgate_figure (grain, at, source, data)
select r.value ->> 'grain', r.value ->> 'at', r.value ->> 'source', r.value ->> 'data'
from jsonb_each(:rows) r
where true
on conflict (grain, at, source) do update
set data = excluded.data
