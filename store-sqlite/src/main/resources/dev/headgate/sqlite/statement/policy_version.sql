select value
from headgate_meta
where key = 'policy_version'
