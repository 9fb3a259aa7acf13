update headgate_gate
set leases = :leases,
    units = :units,
    memory = :memory,
    wake_at = :wake_at
where key = :gate
