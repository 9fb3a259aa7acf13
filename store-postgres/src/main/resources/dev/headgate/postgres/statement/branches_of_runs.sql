-- See lock_ended_roots. Cut before it is ordered: if there are as many rows as the limit, the caller does not use them.
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
below as materialized (
    select id, parent, ended_at
    from headgate_frame
    where root = any(:roots::bigint[]) and parent is not null
    limit :limit
)
select
    f.id,
    f.parent,
    f.ended_at,
    (select case when p.ended_at is null then 1 else 0 end from headgate_frame p where p.id = f.parent),
    case
        when f.id = any(array(select frame from running))
            or exists (
                select 1
                from headgate_job j
                where j.frame = f.id and j.frame is not null and j.state <> 'RUNNING' and j.frame_revision = -2
                offset 0
            )
            then 1
        else 0
    end
from below f
order by f.id desc
