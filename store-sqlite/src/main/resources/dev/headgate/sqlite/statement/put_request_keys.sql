insert into headgate_request_key as k (token, key, request, status, answer, created_at)
select
    r.value ->> 'token',
    r.value ->> 'key',
    r.value ->> 'request',
    r.value ->> 'status',
    r.value ->> 'answer',
    r.value ->> 'created_at'
from jsonb_each(:rows) r
where true
on conflict (token, key) do update
set request = excluded.request,
    status = excluded.status,
    answer = excluded.answer,
    created_at = excluded.created_at
where k.created_at <= :after
returning key
