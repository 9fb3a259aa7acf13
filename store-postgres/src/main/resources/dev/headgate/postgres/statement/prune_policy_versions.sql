-- Overrides come and go without a mark on what lasts: they are never the latest that counts.
delete from headgate_policy_version as v
where v.version <= :version
    and not (
        v.kind not in ('OVERRIDE', 'ENDED')
        and (
            v.changed_at >= :removed_since
            or exists (
                select 1
                from headgate_policy p
                where p.key = v.key
            )
        )
        and not exists (
            select 1
            from headgate_policy_version l
            where l.key = v.key
                and l.version > v.version
                and l.kind not in ('OVERRIDE', 'ENDED')
        )
    )
