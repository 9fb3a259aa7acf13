insert into headgate_share (resource, key, finish, rank, standing, running, as_of)
select resource, share, finish, rank, standing, running, as_of
from unnest(
    :resource::text[], :share::text[], :finish::bigint[], :rank::bigint[], :standing::bigint[], :running::bigint[], :as_of::bigint[]
) as r (resource, share, finish, rank, standing, running, as_of)
on conflict (resource, key) do update
set finish = excluded.finish,
    rank = excluded.rank,
    standing = excluded.standing,
    running = excluded.running,
    as_of = excluded.as_of
