-- How long after its start a leased job may still make its call, in microseconds; 0 if nothing bounds that.
alter table headgate_job add column margin bigint not null default 0;
