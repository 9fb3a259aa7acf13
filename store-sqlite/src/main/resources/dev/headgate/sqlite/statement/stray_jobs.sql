-- Jobs of frames that have ended or moved on, in a tree. Those that run are found through their workers.
with tree as materialized (
    select id, state, revision
    from headgate_frame
    where id = :root or (root = :root and parent is not null)
),
live as materialized (
    select j.id, j.frame, j.frame_revision, j.cancel_requested
    from tree t
    cross join headgate_job j on j.frame = t.id and j.frame is not null and j.state <> 'RUNNING'
    union all
    select j.id, j.frame, j.frame_revision, j.cancel_requested
    from (
        -- each is told by its distance from the one before
        select sum(d.value) over (partition by w.id order by d.key) as job
        from headgate_worker w
        cross join json_each('[' || replace(w.holding, ' ', ',') || ']') d
    ) h
    cross join headgate_job j on j.id = h.job
    where j.state = 'RUNNING' and j.frame is not null
)
select l.id
from tree f
join live l on l.frame = f.id
where l.frame_revision >= -1
    and l.cancel_requested = 0
    and (f.state in ('SUCCEEDED', 'FAILED', 'CANCELLED') or (l.frame_revision >= 0 and l.frame_revision <> f.revision))
order by l.id
limit :limit
