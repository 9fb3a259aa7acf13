insert into headgate_figure (grain, at, source, data)
select grain, at, source, data
from unnest(:grain::text[], :at::bigint[], :source::text[], :data::text[]) as r (grain, at, source, data)
on conflict (grain, at, source) do update
set data = excluded.data
