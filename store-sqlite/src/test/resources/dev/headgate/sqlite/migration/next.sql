-- A made-up migration of a next version, with statements of every cost: for tests.
create table headgate_next (
    id integer primary key
) strict;
insert into headgate_next (id) values (1);
create index headgate_job_next on headgate_job (type, id);
alter table headgate_share add column next integer not null default 0;
-- SQLite cannot change a check, so the rows move.
alter table headgate_artifact rename to headgate_artifact_before;
create table headgate_artifact (
    run integer not null,
    name text not null check (name <> ''),
    content text not null,
    primary key (run, name)
) strict;
insert into headgate_artifact
select run, name, content
from headgate_artifact_before;
drop table headgate_artifact_before;
update headgate_worker set room = room;
