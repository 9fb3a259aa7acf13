-- How long after its start a leased job may still make its call, in microseconds; 0 if nothing bounds that.
alter table headgate_job add column margin integer not null default 0;

-- The same of the starts in a journal, which now also tells what came back and what was late. SQLite cannot change a
-- check, so the rows move.
alter table headgate_journal rename to headgate_journal_before;
create table headgate_journal (
    id integer primary key,
    gate text not null,
    at integer not null,
    kind text not null check (kind in ('START', 'SETTLE', 'RETURN', 'LOST', 'LATE', 'CLEAR')),
    starts integer not null,
    units integer not null,
    leases integer not null,
    in_use integer not null,
    started_at integer not null,
    margin integer not null,
    policy text not null,
    keep_until integer not null
) strict;
insert into headgate_journal
select id, gate, at, kind, starts, units, leases, in_use, started_at, 0, policy, keep_until
from headgate_journal_before;
drop table headgate_journal_before;
create index headgate_journal_by_gate on headgate_journal (gate, id);
create index headgate_journal_for_pruning on headgate_journal (keep_until);
