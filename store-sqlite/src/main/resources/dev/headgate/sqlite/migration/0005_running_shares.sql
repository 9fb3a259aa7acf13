-- How many jobs of a share run, where that is charged by time, and the instant up to which its tag counts them.
alter table headgate_share add column running integer not null default 0;
alter table headgate_share add column as_of integer not null default 0;
