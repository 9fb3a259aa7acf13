select id, request, ends_at, state
from headgate_permit
where id = :id
