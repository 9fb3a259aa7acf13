insert into headgate_journal (gate, at, kind, starts, units, leases, in_use, started_at, margin, policy, version, keep_until, number, hash)
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
    value ->> 'version',
    value ->> 'keep_until',
    value ->> 'number',
    value ->> 'hash'
from jsonb_each(:rows)
order by key
