select max(version)
from headgate_policy_version
where version <= :version and changed_at < :instant
