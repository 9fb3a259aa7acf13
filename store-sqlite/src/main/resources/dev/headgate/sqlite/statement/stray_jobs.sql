-- Jobs of frames that have ended or moved on, in a tree. Those that run are found through their workers.
with tree as materialized (
    select id, state, revision
    from headgate_frame
    where id = :root or (root = :root and parent is not null)
),
live as (
    select j.id, j.frame, j.frame_revision, j.cancel_requested
    from tree t
    join headgate_job j on j.frame = t.id and j.frame is not null and j.state <> 'RUNNING'
    union all
    select j.id, j.frame, j.frame_revision, j.cancel_requested
    from (
        -- each is told by its distance from the one before
        select sum(d.value) over (partition by w.id order by d.key) as job
        from headgate_worker w
        join json_each('[' || replace(w.holding, ' ', ',') || ']') d
    ) h
    join headgate_job j on j.id = h.job
    where j.state = 'RUNNING' and j.frame is not null
)
select j.id
from tree f
join live j on j.frame = f.id
where j.frame_revision >= -1
    and j.cancel_requested = 0
    and (f.state in ('SUCCEEDED', 'FAILED', 'CANCELLED') or (j.frame_revision >= 0 and j.frame_revision <> f.revision))
order by j.id
limit :limit
