-- Like heads, without a lock.
select
    l.lane,
    h.id,
    h.rank,
    h.cost,
    h.type,
    h.frame,
    h.frame_revision,
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
        where f.id = h.frame
    )
from unnest(:lane::text[]) as l (lane)
cross join lateral (
    select id, rank, cost, type, frame, frame_revision
    from headgate_job
    where lane = l.lane and state = 'QUEUED'
    order by rank
    limit :per_lane
) h
