-- The same as heads: nothing is locked here. PostgreSQL needs both.
select
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
from jsonb_each(:rows) r
cross join headgate_job j on j.id in (
    select h.id
    from headgate_job h
    where h.lane = r.value ->> 'lane' and h.state = 'QUEUED'
    order by h.rank
    limit :per_lane
)
order by j.lane, j.rank
