-- In no order of its own: with one, all that are parked would be read for every batch.
update headgate_job
set state = 'QUEUED',
    run_at = :now,
    park_reason = null
where id in (
    select id
    from headgate_job
    where state = 'PARKED' and park_reason = :reason and type in (select value from json_each(:types))
    limit :limit
)
returning queue, gates, lane, rank, cost
