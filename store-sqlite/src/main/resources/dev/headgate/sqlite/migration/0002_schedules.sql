-- When work recurs, and what each run enqueues. A schedule without next_at is paused or done.
create table headgate_schedule (
    name text primary key,
    timing text not null,
    missed text not null check (missed in ('SKIP', 'ONE', 'ALL')),
    overlap text not null check (overlap in ('ALLOW', 'SKIP', 'BUFFER')),
    queue text not null,
    gates text not null,
    type text not null,
    payload text not null,
    cost text not null,
    priority integer not null,
    front integer not null,
    dedup_key text,
    dedup_for integer,
    timeout integer,
    attempts_max integer not null,
    retry text,
    delay integer not null,
    created_at integer not null,
    paused integer not null,
    settled_at integer not null,
    next_at integer,
    last_at integer,
    note text,
    check (paused = 0 or next_at is null)
) strict;
create index headgate_schedule_for_firing on headgate_schedule (next_at) where next_at is not null;

-- The newest runs of each schedule: one job for each instant, whoever fired it.
create table headgate_schedule_run (
    schedule text not null,
    at integer not null,
    job integer not null,
    fired_at integer not null,
    primary key (schedule, at)
) strict, without rowid;
create index headgate_schedule_run_by_job on headgate_schedule_run (job);
