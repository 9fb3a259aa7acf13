insert into headgate_arrival (lane, queue, gates, rank, cost)
select r.value ->> 'lane', r.value ->> 'queue', r.value ->> 'gates', r.value ->> 'rank', r.value ->> 'cost'
from jsonb_each(:rows) r
