-- The fences (offset 0) keep the planner from reading all runs and all jobs side by side.
delete from headgate_schedule_run
where ctid = any(array(
    select r.ctid
    from unnest(:names::text[]) as n (name)
    cross join lateral (
        select ctid, job
        from headgate_schedule_run
        where schedule = n.name
            and at < (
                select k.at
                from headgate_schedule_run k
                where k.schedule = n.name
                order by k.at desc
                offset :keep - 1
                limit 1
            )
        offset 0
    ) r
    where not exists (select 1 from headgate_job j where j.id = r.job offset 0)
))
