insert into headgate_artifact (run, name, content)
select run, name, content
from unnest(:run::bigint[], :name::text[], :content::text[]) as r (run, name, content)
on conflict (run, name) do update
set content = excluded.content
