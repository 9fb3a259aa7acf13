select
    s.resource, s.key, s.finish, s.rank, s.standing, s.running, s.as_of
from jsonb_each(:rows) r
cross join headgate_share s on s.resource = r.value ->> 'resource' and s.key = r.value ->> 'share'
