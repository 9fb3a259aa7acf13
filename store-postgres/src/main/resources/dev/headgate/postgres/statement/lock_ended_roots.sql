-- A job counts if it runs, which its worker tells, or if it is wanted even after the end (revision -2). The fence (offset 0)
-- keeps the planner from reading all jobs that have a frame.
with running as materialized (
    select distinct j.frame
    from headgate_worker w
    cross join lateral (
        -- each is told by its distance from the one before
        select (sum(d.distance) over (order by d.place))::bigint as job
        from unnest(string_to_array(w.holding, ' ')::bigint[]) with ordinality as d (distance, place)
    ) h
    join headgate_job j on j.id = h.job
    where j.state = 'RUNNING' and j.frame is not null
),
old as materialized (
    select id, ended_at
    from headgate_frame
    where parent is null
        and ended_at < :before
        and (ended_at, id) > (:at, :id)
        and (queue = any(:queues::text[])) = (:among = 1)
    order by ended_at, id
    limit :limit
    for update skip locked
)
select
    o.ended_at,
    o.id,
    case
        when o.id = any(array(select frame from running))
            or exists (
                select 1
                from headgate_job j
                where j.frame = o.id and j.frame is not null and j.state <> 'RUNNING' and j.frame_revision = -2
                offset 0
            )
            then 1
        else 0
    end
from old o
order by o.ended_at, o.id
