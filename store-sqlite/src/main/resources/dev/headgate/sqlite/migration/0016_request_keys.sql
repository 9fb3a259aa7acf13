-- Idempotency keys of requests over HTTP, each with the answer of the request that was done.
create table headgate_request_key (
    token text not null,
    key text not null,
    -- SHA-256 of what was asked, in hexadecimal.
    request text not null,
    status integer not null,
    answer text not null,
    created_at integer not null,
    primary key (token, key)
) strict;
create index headgate_request_key_by_age on headgate_request_key (created_at);
