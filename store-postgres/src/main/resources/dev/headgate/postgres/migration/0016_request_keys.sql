-- Idempotency keys of requests over HTTP, each with the answer of the request that was done.
create table headgate_request_key (
    token text collate "C" not null,
    key text collate "C" not null,
    -- SHA-256 of what was asked, in hexadecimal.
    request text not null,
    status bigint not null,
    answer text not null,
    created_at bigint not null,
    primary key (token, key)
);
create index headgate_request_key_by_age on headgate_request_key (created_at);
