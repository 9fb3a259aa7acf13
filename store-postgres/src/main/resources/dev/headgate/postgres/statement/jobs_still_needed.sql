-- One look for each, which ends at the first that needs it.
select d.id
from unnest(:ids::bigint[]) as d (id)
cross join lateral (
    select 1
    from headgate_edge e
    left join headgate_job j on j.id = e.job
    left join headgate_history h on h.id = e.job
    where e.dependency = d.id
        and (j.id is not null or (h.state in ('FAILED', 'CANCELLED') and h.finished_at >= :since))
    limit 1
) n
