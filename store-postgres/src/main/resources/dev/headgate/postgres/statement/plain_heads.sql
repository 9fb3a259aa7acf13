-- No key update, here and in heads: a claim does not skip or wait for a job that an enqueue is just tying others to.
-- The last column tells whether the workflow run of a step still wants it: 0 yes, 1 not now, 2 no more.
select
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
from headgate_job j
where j.lane = :lane and j.state = 'QUEUED'
order by j.rank
limit :limit
for no key update of j skip locked
