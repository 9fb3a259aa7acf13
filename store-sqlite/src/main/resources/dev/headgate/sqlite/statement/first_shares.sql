select
    s.resource, s.key, s.finish, s.rank, s.standing, s.running, s.as_of
from jsonb_each(:rows) r
cross join headgate_share s on s.rowid in (
    select f.rowid
    from headgate_share f
    where f.resource = r.value ->> 'resource' and f.standing = 1
    order by f.finish, f.rank, f.key
    limit :per_resource
)
order by s.resource, s.finish, s.rank, s.key
