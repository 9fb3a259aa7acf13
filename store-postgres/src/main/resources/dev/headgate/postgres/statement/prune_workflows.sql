delete from headgate_workflow as w
where w.since < :before
    and exists (
        select 1
        from headgate_workflow n
        where n.name = w.name and n.version > w.version
    )
    and not exists (
        select 1
        from headgate_frame f
        where f.workflow = w.name and f.version = w.version
    )
