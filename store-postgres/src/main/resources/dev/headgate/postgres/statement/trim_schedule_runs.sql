delete from headgate_schedule_run r
using unnest(:names::text[]) as n (name)
where r.schedule = n.name
    and r.at < (
        select k.at
        from headgate_schedule_run k
        where k.schedule = n.name
        order by k.at desc
        offset :keep - 1
        limit 1
    )
    and not exists (select 1 from headgate_job j where j.id = r.job)
