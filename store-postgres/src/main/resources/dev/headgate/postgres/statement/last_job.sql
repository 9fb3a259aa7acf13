-- A transaction that is still open may have drawn a lower number. The sequence itself may be read by its owner only.
select greatest(
    coalesce((select max(id) from headgate_job), 0),
    coalesce((select max(id) from headgate_history), 0)
), 0
