select
    s.resource, s.key, s.finish, s.rank, s.standing, s.running, s.as_of
from unnest(:resource::text[]) as r (resource)
cross join lateral (
    select *
    from headgate_share
    where resource = r.resource and standing = 1
    order by finish, rank, key
    limit :per_resource
) s
