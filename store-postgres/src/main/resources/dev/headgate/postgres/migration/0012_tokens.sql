-- Access tokens of the HTTP server. Of a secret only its SHA-256 is stored, in hexadecimal.
create table headgate_token (
    id text collate "C" primary key,
    name text not null,
    hash text collate "C" not null unique,
    rights text not null,
    -- Patterns of what the token may touch; empty: everything.
    queues text not null,
    types text not null,
    created_at bigint not null,
    expires_at bigint,
    used_at bigint
);
