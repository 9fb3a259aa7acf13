-- With rows, or with a count of rows that were not deleted in their time: then some are missing, which is not to be forgotten.
select g.value
from json_each(:gates) g
where exists (
        select 1
        from headgate_journal
        where gate = g.value
    )
    or exists (
        select 1
        from headgate_gate
        where key = g.value and journal_count > pruned_count
    )
