insert into headgate_policy (key, limits)
values (:key, :limits)
on conflict (key) do update
set limits = excluded.limits
