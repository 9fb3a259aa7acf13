update headgate_profile p
set needs = r.needs,
    expected = r.expected,
    runs = r.runs,
    updated_at = r.updated_at
from unnest(:type::text[], :needs::text[], :expected::bigint[], :runs::text[], :updated_at::bigint[])
    as r (type, needs, expected, runs, updated_at)
where p.type = r.type
