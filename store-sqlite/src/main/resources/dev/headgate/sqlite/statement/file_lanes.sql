insert into headgate_lane (id, queue, gates, state, rank, cost, since, passes)
values (:lane, :queue, :gates, 'READY', :rank, :cost, 0, 0)
on conflict (id) do update
set state = 'READY',
    rank = excluded.rank,
    cost = excluded.cost,
    waiting_at = null
where headgate_lane.state = 'EMPTY' or excluded.rank < headgate_lane.rank
