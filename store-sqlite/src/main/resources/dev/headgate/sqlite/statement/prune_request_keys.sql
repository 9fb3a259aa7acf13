delete from headgate_request_key
where (token, key) in (
    select token, key
    from headgate_request_key
    where created_at <= :up_to
    order by created_at
    limit :most
)
