insert into headgate_artifact (run, name, content)
select r.value ->> 'run', r.value ->> 'name', r.value ->> 'content'
from jsonb_each(:rows) r
where true
on conflict (run, name) do update
set content = excluded.content
