-- Overrides come and go without a mark on what lasts: they are never the latest that counts.
delete from headgate_policy_version
where headgate_policy_version.version <= :version
    and not (
        headgate_policy_version.kind not in ('OVERRIDE', 'ENDED')
        and (
            headgate_policy_version.changed_at >= :removed_since
            or exists (
                select 1
                from headgate_policy p
                where p.key = headgate_policy_version.key
            )
        )
        and not exists (
            select 1
            from headgate_policy_version l
            where l.key = headgate_policy_version.key
                and l.version > headgate_policy_version.version
                and l.kind not in ('OVERRIDE', 'ENDED')
        )
    )
