-- In one order, so that two requests with the same keys wait for each other and do not lock each other out.
insert into headgate_request_key as k (token, key, request, status, answer, created_at)
select token, key, request, status, answer, created_at
from unnest(
    :token::text[], :key::text[], :request::text[], :status::bigint[], :answer::text[], :created_at::bigint[]
) as r (token, key, request, status, answer, created_at)
order by token collate "C", key collate "C"
on conflict (token, key) do update
set request = excluded.request,
    status = excluded.status,
    answer = excluded.answer,
    created_at = excluded.created_at
where k.created_at <= :after
returning key
