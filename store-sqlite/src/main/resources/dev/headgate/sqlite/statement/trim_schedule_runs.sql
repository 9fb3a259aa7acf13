delete from headgate_schedule_run
where schedule in (select value from json_each(:names))
    and at < (
        select k.at
        from headgate_schedule_run k
        where k.schedule = headgate_schedule_run.schedule
        order by k.at desc
        limit 1 offset :keep - 1
    )
    and not exists (select 1 from headgate_job j where j.id = headgate_schedule_run.job)
