-- All queues of a worker at once, each up to its own number. A limit cannot be a column: the index is read as far as the greatest of
-- them, and the rows only as far as each. The last column tells of the workflow run of a step, by primary key.
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
    select w.id
    from (
        select h.id, row_number() over (order by h.rank) as number
        from headgate_job h
        where h.lane = r.value ->> 'lane' and h.state = 'QUEUED'
        order by h.rank
        limit :greatest
    ) w
    where w.number <= r.value ->> 'most'
)
order by j.lane, j.rank
