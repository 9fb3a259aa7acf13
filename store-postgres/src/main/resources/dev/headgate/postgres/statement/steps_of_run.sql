-- The jobs that the frames of a tree wait for, counted by how they stand. Those that run are found through their workers.
with asked as materialized (
    select id, revision, state
    from headgate_frame
    where id = :root and ended_at is null
    union all
    select id, revision, state
    from headgate_frame
    where root = :root and parent is not null and ended_at is null
),
work as materialized (
    select f.id as frame, j.id, j.state, j.queue, j.type, j.run_at, j.worker, j.park_reason, j.lane
    from asked f
    cross join lateral (
        select id, frame_revision, state, queue, type, run_at, worker, park_reason, lane
        from headgate_job
        where frame = f.id and frame is not null and state <> 'RUNNING'
        offset 0
    ) j
    where j.frame_revision = f.revision and (j.state <> 'SCHEDULED' or f.state = 'RUNNING' or j.run_at <= :now)
    union all
    select f.id, j.id, j.state, j.queue, j.type, j.run_at, j.worker, j.park_reason, j.lane
    from headgate_worker w
    cross join lateral (
        -- each is told by its distance from the one before
        select (sum(d.distance) over (order by d.place))::bigint as job
        from unnest(string_to_array(w.holding, ' ')::bigint[]) with ordinality as d (distance, place)
    ) h
    join headgate_job j on j.id = h.job
    join asked f on f.id = j.frame and f.revision = j.frame_revision
    where j.state = 'RUNNING' and j.frame is not null
)
select
    :root::bigint, min(g.id), g.state, g.queue, min(g.type), min(g.run_at), g.worker, g.park_reason, g.waiting_at, count(*)
from (
    select
        w.id, w.state, w.queue, w.type, w.run_at, w.worker, w.park_reason,
        case when w.park_reason is not null then w.type else '' end as parked_type,
        (select l.waiting_at from headgate_lane l where l.id = w.lane and w.state <> 'RUNNING') as waiting_at
    from work w
) g
group by g.state, g.queue, g.worker, g.park_reason, g.parked_type, g.waiting_at
order by 2
