select version, changed_at, author, reason, key, kind, limits_before, limits_after
from headgate_policy_version
where version > :after and version < :before
order by version desc
