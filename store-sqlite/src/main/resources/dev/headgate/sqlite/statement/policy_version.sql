select
    value,
    (select value from headgate_meta where key = 'schema_version'),
    (select min(value) from headgate_meta where key in ('schema_version', 'oldest_version'))
from headgate_meta
where key = 'policy_version'
