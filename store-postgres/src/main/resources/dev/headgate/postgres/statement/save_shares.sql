insert into headgate_share (resource, key, finish, rank, standing)
select resource, share, finish, rank, standing
from unnest(:resource::text[], :share::text[], :finish::bigint[], :rank::bigint[], :standing::bigint[])
    as r (resource, share, finish, rank, standing)
on conflict (resource, key) do update
set finish = excluded.finish,
    rank = excluded.rank,
    standing = excluded.standing
