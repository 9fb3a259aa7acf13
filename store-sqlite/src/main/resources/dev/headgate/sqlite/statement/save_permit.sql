update headgate_permit
set ends_at = :ends_at,
    state = :state
where id = :id
