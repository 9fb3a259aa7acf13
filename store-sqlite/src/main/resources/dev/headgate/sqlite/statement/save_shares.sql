insert into headgate_share (resource, key, finish, rank, standing)
select r.value ->> 'resource', r.value ->> 'share', r.value ->> 'finish', r.value ->> 'rank', r.value ->> 'standing'
from jsonb_each(:rows) r
where true
on conflict (resource, key) do update
set finish = excluded.finish,
    rank = excluded.rank,
    standing = excluded.standing
