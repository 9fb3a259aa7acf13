select distinct s.run, s.name
from jsonb_each(:rows) r
cross join headgate_signal s on s.run = r.value ->> 'run' and s.name = r.value ->> 'name'
