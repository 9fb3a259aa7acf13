update headgate_lane
set state = :state,
    rank = :rank,
    cost = :cost,
    waiting_at = :waiting_at,
    since = :since,
    passes = :passes
where id = :lane
