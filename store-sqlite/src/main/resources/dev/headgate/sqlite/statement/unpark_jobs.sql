update headgate_job
set state = 'QUEUED',
    run_at = :now,
    park_reason = null
where id in (
    select id
    from headgate_job
    where state = 'PARKED' and park_reason = :reason
        and (:any_type = 1 or type in (select value from json_each(:types)))
    order by id
    limit :limit
)
returning queue, gates, lane, rank, cost
