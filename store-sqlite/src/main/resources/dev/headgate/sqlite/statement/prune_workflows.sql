delete from headgate_workflow
where headgate_workflow.since < :before
    and exists (
        select 1
        from headgate_workflow n
        where n.name = headgate_workflow.name and n.version > headgate_workflow.version
    )
    and not exists (
        select 1
        from headgate_frame f
        where f.workflow = headgate_workflow.name and f.version = headgate_workflow.version
    )
