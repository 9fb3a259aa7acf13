-- Permits of limiters that programs elsewhere asked for over HTTP, until they have ended.
create table headgate_permit (
    -- The number under which gates hold its places.
    id integer primary key,
    -- The same request gets the same permit.
    request text not null unique,
    ends_at integer not null,
    -- What it took of each gate and what became of it, as JSON.
    state text not null
) strict;
create index headgate_permit_ends on headgate_permit (ends_at);
