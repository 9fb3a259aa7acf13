update headgate_meta
set value = value + 1
where key = 'policy_version'
