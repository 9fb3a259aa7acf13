-- Skips rows locked by another claim; that claim handles them. One by one and in order, as in take_arrivals: a join
-- that was planned while the table was empty compared each doorbell with each of these.
delete from headgate_arrival
where ctid = any(array(
    select a.ctid
    from unnest(:queue::text[], :rank::bigint[], :lane::text[]) as r (queue, rank, lane)
    cross join lateral (
        select ctid
        from headgate_arrival
        where queue = r.queue and rank = r.rank and lane = r.lane
        order by rank, id
        for update skip locked
    ) a
))
