update headgate_profile
set needs = r.needs,
    expected = r.expected,
    runs = r.runs,
    updated_at = r.updated_at
from (
    select
        value ->> 'type' as type, value ->> 'needs' as needs, value ->> 'expected' as expected,
        value ->> 'runs' as runs, value ->> 'updated_at' as updated_at
    from jsonb_each(:rows)
) r
where headgate_profile.type = r.type
