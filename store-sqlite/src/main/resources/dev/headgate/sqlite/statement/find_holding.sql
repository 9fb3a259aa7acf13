select lease_until, holding
from headgate_worker
where id = :id
