update headgate_job
set dedup_key = null
where dedup_key = any(:keys::text[])
    and enqueued_at + dedup_for <= :now
