-- All queues of a worker at once. A limit cannot be a column, and a window is sorted: each lane is read in the order of its index, as
-- far as the greatest number that was asked for, and what is beyond its own is left out where the rows are read. The last column
-- tells of the workflow run of a step, by primary key.
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
cross join headgate_job j
where j.lane = r.value ->> 'lane'
    and j.state = 'QUEUED'
    and j.rank <= coalesce(
        (
            select h.rank
            from headgate_job h
            where h.lane = r.value ->> 'lane' and h.state = 'QUEUED'
            order by h.rank
            limit 1 offset :greatest - 1
        ),
        9223372036854775807
    )
