-- The jobs that these frames wait for. Those that run are found through their workers.
with asked as materialized (
    select id, revision, state
    from headgate_frame
    where id in (select value from json_each(:frames)) and ended_at is null
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
    w.frame, w.id, w.state, w.queue, w.type, w.run_at, w.worker, w.park_reason,
    (select l.waiting_at from headgate_lane l where l.id = w.lane and w.state <> 'RUNNING'),
    1
from work w
order by w.id
