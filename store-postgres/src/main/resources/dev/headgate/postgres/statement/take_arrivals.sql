delete from headgate_arrival
where ctid = any(array(
    select ctid
    from headgate_arrival
    where queue = any(:queues::text[])
    limit :limit
    for update skip locked
))
returning queue, gates, lane, rank, cost
