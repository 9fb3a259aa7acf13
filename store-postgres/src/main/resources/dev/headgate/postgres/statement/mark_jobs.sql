update headgate_job
set capped_queue = :capped_queue,
    capped_gate = :capped_gate
where id = any(:ids::bigint[])
