insert into headgate_lane (id, queue, gates, state, rank, cost, since, passes, share)
select r.value ->> 'lane', r.value ->> 'queue', r.value ->> 'gates', 'READY', r.value ->> 'rank', r.value ->> 'cost', 0, r.value ->> 'passes', r.value ->> 'share'
from jsonb_each(:rows) r
where true
on conflict (id) do update
set state = 'READY',
    rank = excluded.rank,
    cost = excluded.cost,
    waiting_at = null,
    passes = max(headgate_lane.passes, excluded.passes),
    share = excluded.share
where excluded.rank <= headgate_lane.rank
