select g.value
from json_each(:gates) g
where exists (
    select 1
    from headgate_journal
    where gate = g.value
)
