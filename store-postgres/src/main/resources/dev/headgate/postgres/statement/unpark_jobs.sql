update headgate_job
set state = 'QUEUED',
    run_at = :now,
    park_reason = null
where id = any(array(
    select id
    from headgate_job
    where state = 'PARKED' and park_reason = :reason and (:any_type = 1 or type = any(:types::text[]))
    order by id
    limit :limit
    for no key update skip locked
))
returning queue, gates, lane, rank, cost
