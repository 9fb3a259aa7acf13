-- Runs, artifacts, rows of history, and those of them that have a result: each counted so far.
select
    (
        select count(*)
        from (
            select 1
            from headgate_frame
            where parent is null
            limit :max
        ) r
    ),
    (
        select count(*)
        from (
            select 1
            from headgate_artifact
            limit :max
        ) a
    ),
    (
        select count(*)
        from (
            select 1
            from headgate_history
            order by id desc
            limit :max
        ) e
    ),
    (
        select count(h.result)
        from (
            select result
            from headgate_history
            order by id desc
            limit :max
        ) h
    )
