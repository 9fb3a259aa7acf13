-- Access tokens of the HTTP server. Of a secret only its SHA-256 is stored, in hexadecimal.
create table headgate_token (
    id text primary key,
    name text not null,
    hash text not null unique,
    rights text not null,
    -- Patterns of what the token may touch; empty: everything.
    queues text not null,
    types text not null,
    created_at integer not null,
    expires_at integer,
    used_at integer
) strict;
