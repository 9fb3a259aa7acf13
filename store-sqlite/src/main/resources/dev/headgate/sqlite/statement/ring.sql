insert into headgate_arrival (lane, queue, gates, rank, cost, passes)
select r.value ->> 'lane', r.value ->> 'queue', r.value ->> 'gates', r.value ->> 'rank', r.value ->> 'cost', r.value ->> 'passes'
from jsonb_each(:rows) r
