-- The rows of a gate's journal are numbered, and each has a hash over the one before it and itself. version is the one of the policies
-- that decided. Rows from before have none of it: up to which id that is, is kept.
alter table headgate_journal add column version bigint not null default 0;
alter table headgate_journal add column number bigint not null default 0;
alter table headgate_journal add column hash text not null default '';
insert into headgate_meta (key, value)
select 'journal_unchained', coalesce(max(id), 0)
from headgate_journal;

-- How far the journal of a gate goes: the number of its last row, the hash of that, and until when it is kept. Of the last row that was
-- deleted because its time was over: the number and the hash.
alter table headgate_gate add column journal_count bigint not null default 0;
alter table headgate_gate add column journal_head text not null default '';
alter table headgate_gate add column journal_until bigint not null default 0;
alter table headgate_gate add column pruned_count bigint not null default 0;
alter table headgate_gate add column pruned_hash text not null default '';
