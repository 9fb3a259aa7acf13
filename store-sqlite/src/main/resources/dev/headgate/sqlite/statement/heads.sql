-- The subquery stands in for a lateral join: the first few jobs of each lane by its index.
with wanted as materialized (
    select
        r.value ->> 'lane' as lane,
        case
            when :per_lane > 4 then 1
            else (
                select count(*)
                from (
                    select 1
                    from headgate_job b
                    where b.lane = r.value ->> 'lane' and b.state = 'QUEUED'
                    order by b.rank
                    limit 1 offset :per_lane
                )
            )
        end as more
    from jsonb_each(:rows) r
)
select
    w.more,
    j.lane,
    j.id,
    j.rank,
    j.cost,
    j.type,
    j.frame,
    j.frame_revision,
    (
        select f.revision || ' ' || f.state || ' ' || coalesce(
            (
                select root.halt
                from headgate_frame root
                where root.id = f.root
            ),
            ''
        )
        from headgate_frame f
        where f.id = j.frame
    )
from wanted w
cross join headgate_job j on j.id in (
    select h.id
    from headgate_job h
    where h.lane = w.lane and h.state = 'QUEUED'
    order by h.rank
    limit :per_lane
)
order by j.lane, j.rank
