-- The lanes are locked by this claim; the rows are locked too, against a cancel that comes between. Whether more wait behind
-- them is asked once for each lane, hence the fence: once for each row would be as often as there are rows. And only where few are
-- read of many lanes: behind many it would be a second walk over the same index.
select
    l.more,
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
from (
    select
        w.lane,
        case
            when :per_lane > 4 then 1
            else (
                select count(*)
                from (
                    select
                    from headgate_job b
                    where b.lane = w.lane and b.state = 'QUEUED'
                    order by b.rank
                    offset :per_lane
                    limit 1
                ) behind
            )
        end as more
    from unnest(:lane::text[]) as w (lane)
    offset 0
) l
cross join lateral (
    select id, rank, cost, type, frame, frame_revision
    from headgate_job
    where lane = l.lane and state = 'QUEUED'
    order by rank
    limit :per_lane
    for no key update
) h
