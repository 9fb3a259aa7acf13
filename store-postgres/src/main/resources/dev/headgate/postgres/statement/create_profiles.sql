insert into headgate_profile (type, needs, expected, runs, updated_at)
select type, '', null, '', 0
from unnest(:type::text[]) as r (type)
on conflict (type) do nothing
