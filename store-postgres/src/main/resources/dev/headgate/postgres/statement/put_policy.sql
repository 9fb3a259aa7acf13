insert into headgate_policy (key, limits, version, changed_at)
values (:key, :limits, :version, :now)
on conflict (key) do update
set limits = excluded.limits,
    version = excluded.version,
    changed_at = excluded.changed_at
