-- One look for each, which ends at the first that needs it.
select d.value
from json_each(:ids) d
where exists (
    select 1
    from headgate_edge e
    left join headgate_job j on j.id = e.job
    left join headgate_history h on h.id = e.job
    where e.dependency = d.value
        and (j.id is not null or (h.state in ('FAILED', 'CANCELLED') and h.finished_at >= :since))
)
