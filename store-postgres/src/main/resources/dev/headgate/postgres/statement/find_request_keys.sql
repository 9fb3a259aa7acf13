select token, key, request, status, answer, created_at
from headgate_request_key
where token = :token
    and key = any(:keys::text[])
    and created_at > :after
