-- Passes by what somebody else is taking: he will find that it was answered.
delete from headgate_arrival
where ctid = any(array(
    select a.ctid
    from unnest(:queue::text[], :rank::bigint[], :lane::text[]) as r (queue, rank, lane)
    join headgate_arrival a on a.queue = r.queue and a.rank = r.rank and a.lane = r.lane
    for update of a skip locked
))
