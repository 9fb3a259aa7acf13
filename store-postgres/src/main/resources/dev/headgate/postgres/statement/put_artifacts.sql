insert into headgate_artifact (run, name, content, at)
select run, name, content, :now
from unnest(:run::bigint[], :name::text[], :content::text[]) as r (run, name, content)
on conflict (run, name) do update
set content = excluded.content,
    at = excluded.at
