delete from headgate_arrival
where id in (
    select a.id
    from headgate_arrival a
    where a.queue in (select r.value ->> 'queue' from jsonb_each(:rows) r)
    limit :limit
)
returning queue, gates, lane, rank, cost
