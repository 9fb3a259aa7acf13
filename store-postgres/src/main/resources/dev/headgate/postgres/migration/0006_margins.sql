-- How long after its start a leased job may still make its call, in microseconds; 0 if nothing bounds that.
alter table headgate_job add column margin bigint not null default 0;

-- The same of the starts in a journal, which now also tells what came back and what was late.
alter table headgate_journal add column margin bigint not null default 0;
alter table headgate_journal drop constraint headgate_journal_kind_check;
alter table headgate_journal add constraint headgate_journal_kind_check
    check (kind in ('START', 'SETTLE', 'RETURN', 'LOST', 'LATE', 'CLEAR'));
