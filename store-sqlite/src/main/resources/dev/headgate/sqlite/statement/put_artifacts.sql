insert into headgate_artifact (run, name, content, at)
select r.value ->> 'run', r.value ->> 'name', r.value ->> 'content', :now
from jsonb_each(:rows) r
where true
on conflict (run, name) do update
set content = excluded.content,
    at = excluded.at
