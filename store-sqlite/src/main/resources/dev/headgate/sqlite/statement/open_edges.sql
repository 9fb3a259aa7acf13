select e.job, e.dependency, j.state, e.open
from (
    select
        job,
        dependency,
        place,
        row_number() over (partition by job order by place, dependency) as number,
        count(*) over (partition by job) as open
    from headgate_edge
    where job in (select value from json_each(:jobs)) and outcome is null
) e
left join headgate_job j on j.id = e.dependency
where e.number <= :per_job
order by e.job, e.place, e.dependency
