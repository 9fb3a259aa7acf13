select g.key
from unnest(:gates::text[]) as g (key)
where exists (
    select
    from headgate_journal
    where gate = g.key
)
