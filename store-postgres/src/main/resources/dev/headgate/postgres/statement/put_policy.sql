insert into headgate_policy (key, limits, changed_at)
values (:key, :limits, :now)
on conflict (key) do update
set limits = excluded.limits,
    changed_at = excluded.changed_at
