-- A job counts if it runs, which its worker tells, or if it is wanted even after the end (revision -2).
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
    f.ended_at,
    f.id,
    f.id in (select frame from running)
        or exists (
            select 1
            from headgate_job j
            where j.frame = f.id and j.frame is not null and j.state <> 'RUNNING' and j.frame_revision = -2
        )
from headgate_frame f
where f.parent is null
    and f.ended_at is not null
    and f.ended_at < :before
    and (f.ended_at, f.id) > (:at, :id)
    and (f.queue in (select value from json_each(:queues))) = (:among = 1)
order by f.ended_at, f.id
limit :limit
