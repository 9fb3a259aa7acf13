-- A made-up migration of a next version, with statements of every cost: for tests.
create table headgate_next (
    id bigint primary key
);
insert into headgate_next (id) values (1);
create index headgate_job_next on headgate_job (type, id);
alter table headgate_share add column next bigint not null default 0;
alter index headgate_history_for_pruning set (fillfactor = 90);
alter table headgate_journal drop constraint headgate_journal_kind_check;
alter table headgate_journal add constraint headgate_journal_kind_check check (kind <> '');
-- Another order of names writes the table and its indexes anew.
alter table headgate_artifact
    alter column name type text collate "C",
    alter column content set default '';
update headgate_worker set room = room;
