delete from headgate_arrival
where rowid in (
    select rowid
    from headgate_arrival
    where queue in (select value from json_each(:queues))
    limit :limit
)
returning queue, gates, lane, rank, cost
