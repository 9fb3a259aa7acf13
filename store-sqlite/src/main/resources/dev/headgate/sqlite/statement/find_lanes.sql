select
    id, queue, gates, state, rank, cost, waiting_at, since, passes, share
from headgate_lane
where id in (select value from json_each(:lanes))
