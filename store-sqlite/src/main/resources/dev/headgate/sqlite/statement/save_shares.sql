insert into headgate_share (resource, key, finish, rank, standing, running, as_of)
select r.value ->> 'resource', r.value ->> 'share', r.value ->> 'finish', r.value ->> 'rank', r.value ->> 'standing',
    r.value ->> 'running', r.value ->> 'as_of'
from jsonb_each(:rows) r
where true
on conflict (resource, key) do update
set finish = excluded.finish,
    rank = excluded.rank,
    standing = excluded.standing,
    running = excluded.running,
    as_of = excluded.as_of
