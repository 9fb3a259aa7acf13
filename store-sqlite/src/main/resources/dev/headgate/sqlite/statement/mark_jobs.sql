update headgate_job
set capped_queue = :capped_queue,
    capped_gate = :capped_gate
where id in (select value from json_each(:ids))
