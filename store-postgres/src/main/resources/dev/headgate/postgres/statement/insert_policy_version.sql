insert into headgate_policy_version (
    version, key, kind, limits_before, limits_after, changed_at, author, reason
)
values (:version, :key, :kind, :limits_before, :limits_after, :now, :author, :reason)
