-- Waits for a claim that holds one of the lanes: it may be emptying it right now.
insert into headgate_lane (id, queue, gates, state, rank, cost, since, passes, share)
select lane, queue, gates, 'READY', rank, cost, 0, passes, share
from unnest(:lane::text[], :queue::text[], :gates::text[], :rank::bigint[], :cost::text[], :passes::bigint[], :share::text[])
    as a (lane, queue, gates, rank, cost, passes, share)
on conflict (id) do update
set state = 'READY',
    rank = excluded.rank,
    cost = excluded.cost,
    waiting_at = null,
    passes = greatest(headgate_lane.passes, excluded.passes),
    share = excluded.share
where excluded.rank <= headgate_lane.rank
