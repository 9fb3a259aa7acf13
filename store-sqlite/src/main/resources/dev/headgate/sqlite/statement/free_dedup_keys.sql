update headgate_job
set dedup_key = null
where dedup_key in (select value from json_each(:keys))
    and enqueued_at + dedup_for <= :now
