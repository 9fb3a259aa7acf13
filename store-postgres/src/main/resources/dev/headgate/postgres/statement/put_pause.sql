insert into headgate_pause (key, since, author, reason)
values (:key, :now, :author, :reason)
on conflict (key) do update
set author = excluded.author,
    reason = excluded.reason
