select name
from headgate_worker
where lease_until > (extract(epoch from clock_timestamp()) * 1000000)::bigint
order by name
