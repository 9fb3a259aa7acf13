-- With rows, or with a count of rows that were not deleted in their time: then some are missing, which is not to be forgotten.
select g.key
from unnest(:gates::text[]) as g (key)
where exists (
        select
        from headgate_journal
        where gate = g.key
    )
    or exists (
        select
        from headgate_gate h
        where h.key = g.key and h.journal_count > h.pruned_count
    )
