-- See lock_ended_roots. Cut before it is ordered: if there are as many rows as the limit, the caller does not use them.
with running as materialized (
    select distinct j.frame
    from (
        -- each is told by its distance from the one before
        select sum(d.value) over (partition by w.id order by d.key) as job
        from headgate_worker w
        cross join json_each('[' || replace(w.holding, ' ', ',') || ']') d
    ) h
    cross join headgate_job j on j.id = h.job
    where j.state = 'RUNNING' and j.frame is not null
)
select
    f.id,
    f.parent,
    f.ended_at,
    (select p.ended_at is null from headgate_frame p where p.id = f.parent),
    f.id in (select frame from running)
        or exists (
            select 1
            from headgate_job j
            where j.frame = f.id and j.frame is not null and j.state <> 'RUNNING' and j.frame_revision = -2
        )
from (
    select id, parent, ended_at
    from headgate_frame
    where root in (select value from json_each(:roots)) and parent is not null
    limit :limit
) f
order by f.id desc
