-- The subquery stands in for a lateral join: the first few jobs of each lane by its index.
select
    j.lane,
    j.id,
    j.rank,
    j.cost,
    j.type,
    case
        when j.frame is null or j.frame_revision = -2 then 0
        else coalesce(
            (
                select case
                    when f.state in ('SUCCEEDED', 'FAILED', 'CANCELLED') then 2
                    when j.frame_revision >= 0 and j.frame_revision <> f.revision then 2
                    when f.state = 'BUDGET_EXCEEDED' or r.halt is not null then 1
                    else 0
                end
                from headgate_frame f
                join headgate_frame r on r.id = f.root
                where f.id = j.frame
            ),
            2
        )
    end
from jsonb_each(:rows) r
join headgate_job j on j.id in (
    select h.id
    from headgate_job h
    where h.lane = r.value ->> 'lane' and h.state = 'QUEUED'
    order by h.rank
    limit :per_lane
)
order by j.lane, j.rank
