-- No key update, here and in heads: a claim does not skip or wait for a job that an enqueue is just tying others to.
-- The last columns tell of the workflow run of a step. A subquery, not a join: no plan can read all frames for it.
select
    j.id,
    j.rank,
    j.cost,
    j.type,
    j.frame,
    j.frame_revision,
    (
        select f.revision || ' ' || f.state || ' ' || coalesce(root.halt, '')
        from headgate_frame f
        join headgate_frame root on root.id = f.root
        where f.id = j.frame
    )
from headgate_job j
where j.lane = :lane and j.state = 'QUEUED'
order by j.rank
limit :limit
for no key update of j skip locked
