insert into headgate_arrival (lane, queue, gates, rank, cost, passes)
select lane, queue, gates, rank, cost, passes
from unnest(:lane::text[], :queue::text[], :gates::text[], :rank::bigint[], :cost::text[], :passes::bigint[])
    as a (lane, queue, gates, rank, cost, passes)
