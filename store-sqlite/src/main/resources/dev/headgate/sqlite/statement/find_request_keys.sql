select token, key, request, status, answer, created_at
from headgate_request_key
where token = :token
    and key in (select value from json_each(:keys))
    and created_at > :after
