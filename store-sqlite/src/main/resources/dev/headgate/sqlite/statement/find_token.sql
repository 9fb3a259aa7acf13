select id, name, hash, rights, queues, types, created_at, expires_at, used_at
from headgate_token
where hash = :hash
