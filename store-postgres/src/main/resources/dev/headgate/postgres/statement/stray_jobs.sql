-- The fence (offset 0) keeps the planner from reading all jobs that have a frame. Jobs of frames that have ended or moved on, in a tree. Those that run are found through their workers.
with tree as materialized (
    select id, state, revision
    from headgate_frame
    where id = :root
    union all
    select id, state, revision
    from headgate_frame
    where root = :root and parent is not null
),
live as materialized (
    select j.id, j.frame, j.frame_revision, j.cancel_requested
    from tree t
    cross join lateral (
        select id, frame, frame_revision, cancel_requested
        from headgate_job
        where frame = t.id and frame is not null and state <> 'RUNNING'
        offset 0
    ) j
    union all
    select j.id, j.frame, j.frame_revision, j.cancel_requested
    from headgate_worker w
    cross join lateral (
        -- each is told by its distance from the one before
        select (sum(d.distance) over (order by d.place))::bigint as job
        from unnest(string_to_array(w.holding, ' ')::bigint[]) with ordinality as d (distance, place)
    ) h
    join headgate_job j on j.id = h.job
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
