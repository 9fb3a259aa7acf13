insert into headgate_profile (type, needs, expected, runs, updated_at)
select r.value ->> 'type', '', null, '', 0
from jsonb_each(:rows) r
where true
on conflict (type) do nothing
