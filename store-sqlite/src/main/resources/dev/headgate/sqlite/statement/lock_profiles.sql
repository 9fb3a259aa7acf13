select type, needs, expected, runs, updated_at
from headgate_profile
where type in (select value from json_each(:types))
order by type
