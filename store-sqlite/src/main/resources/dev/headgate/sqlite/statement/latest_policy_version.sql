-- Overrides come and go without a mark on what lasts.
select version, changed_at, author, reason, key, kind, limits_before, limits_after
from headgate_policy_version
where key = :key and kind not in ('OVERRIDE', 'ENDED')
order by version desc
limit 1
