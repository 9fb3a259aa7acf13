select type, needs, expected, runs, updated_at
from headgate_profile
where type = any(:types::text[])
order by type
for update
