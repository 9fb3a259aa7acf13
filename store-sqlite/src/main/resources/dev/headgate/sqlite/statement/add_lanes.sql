insert into headgate_lane (id, queue, gates, state, rank, cost, waiting_at, since, passes, share)
select
    r.value ->> 'lane', r.value ->> 'queue', r.value ->> 'gates', r.value ->> 'state', r.value ->> 'rank', r.value ->> 'cost',
    r.value ->> 'waiting_at', r.value ->> 'since', r.value ->> 'passes', r.value ->> 'share'
from jsonb_each(:rows) r
where true
on conflict (id) do nothing
