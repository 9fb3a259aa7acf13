insert into headgate_journal (gate, at, kind, starts, units, leases, in_use, started_at, margin, policy, keep_until)
select
    value ->> 'gate',
    value ->> 'at',
    value ->> 'kind',
    value ->> 'starts',
    value ->> 'units',
    value ->> 'leases',
    value ->> 'in_use',
    value ->> 'started_at',
    value ->> 'margin',
    value ->> 'policy',
    value ->> 'keep_until'
from jsonb_each(:rows)
order by key
