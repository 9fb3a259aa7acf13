insert into headgate_arrival (lane, queue, gates, rank, cost)
select lane, queue, gates, rank, cost
from unnest(:lane::text[], :queue::text[], :gates::text[], :rank::bigint[], :cost::text[])
    as a (lane, queue, gates, rank, cost)
