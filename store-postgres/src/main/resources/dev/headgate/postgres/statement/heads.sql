-- The lanes are locked by this claim; the rows are locked too, against a cancel that comes between.
select
    l.lane,
    h.id,
    h.rank,
    h.cost,
    h.type,
    case
        when h.frame is null or h.frame_revision = -2 then 0
        else coalesce(
            (
                select case
                    when f.state in ('SUCCEEDED', 'FAILED', 'CANCELLED') then 2
                    when h.frame_revision >= 0 and h.frame_revision <> f.revision then 2
                    when f.state = 'BUDGET_EXCEEDED' or r.halt is not null then 1
                    else 0
                end
                from headgate_frame f
                join headgate_frame r on r.id = f.root
                where f.id = h.frame
            ),
            2
        )
    end
from unnest(:lane::text[]) as l (lane)
cross join lateral (
    select id, rank, cost, type, frame, frame_revision
    from headgate_job
    where lane = l.lane and state = 'QUEUED'
    order by rank
    limit :per_lane
    for no key update
) h
