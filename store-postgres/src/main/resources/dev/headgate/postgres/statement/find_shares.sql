select
    s.resource, s.key, s.finish, s.rank, s.standing, s.running, s.as_of
from unnest(:resource::text[], :share::text[]) as r (resource, share)
join headgate_share s on s.resource = r.resource and s.key = r.share
