update headgate_worker
set lease_until = :until
where id = :id and lease_until > :now
