-- The jobs that the frames of a tree wait for, counted by how they stand. Those that run are found through their workers.
with asked as materialized (
    select id, revision, state
    from headgate_frame
    where (id = :root or (root = :root and parent is not null)) and ended_at is null
),
work as materialized (
    select f.id as frame, j.id, j.state, j.queue, j.type, j.run_at, j.worker, j.park_reason, j.lane
    from asked f
    cross join headgate_job j on j.frame = f.id and j.frame is not null and j.state <> 'RUNNING'
    where j.frame_revision = f.revision and (j.state <> 'SCHEDULED' or f.state = 'RUNNING' or j.run_at <= :now)
    union all
    select f.id, j.id, j.state, j.queue, j.type, j.run_at, j.worker, j.park_reason, j.lane
    from (
        -- each is told by its distance from the one before
        select sum(d.value) over (partition by w.id order by d.key) as job
        from headgate_worker w
        cross join json_each('[' || replace(w.holding, ' ', ',') || ']') d
    ) h
    cross join headgate_job j on j.id = h.job
    cross join asked f on f.id = j.frame
    where j.state = 'RUNNING' and j.frame is not null and j.frame_revision = f.revision
)
select
    :root, min(g.id), g.state, g.queue, min(g.type), min(g.run_at), g.worker, g.park_reason, g.waiting_at, count(*)
from (
    select
        w.id, w.state, w.queue, w.type, w.run_at, w.worker, w.park_reason,
        case when w.park_reason is not null then w.type else '' end as parked_type,
        (select l.waiting_at from headgate_lane l where l.id = w.lane and w.state <> 'RUNNING') as waiting_at
    from work w
) g
group by g.state, g.queue, g.worker, g.park_reason, g.parked_type, g.waiting_at
order by 2
