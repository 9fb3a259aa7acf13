select count(*)
from (
    select 1
    from headgate_share
    where resource = :resource and standing = 1 and finish < :finish
    order by finish
    limit :max
) b
