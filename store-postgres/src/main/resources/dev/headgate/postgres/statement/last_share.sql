select
    resource, key, finish, rank, standing, running, as_of
from headgate_share
where resource = :resource and standing = 0
order by finish desc, rank desc, key desc
limit 1
