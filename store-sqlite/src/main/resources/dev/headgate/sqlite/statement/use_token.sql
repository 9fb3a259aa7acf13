update headgate_token
set used_at = :at
where id = :id
    and coalesce(used_at, 0) < :at
