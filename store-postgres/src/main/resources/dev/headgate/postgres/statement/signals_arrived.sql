select distinct s.run, s.name
from unnest(:run::bigint[], :name::text[]) as r (run, name)
join headgate_signal s on s.run = r.run and s.name = r.name
