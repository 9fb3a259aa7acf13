-- All queues of a worker at once, each up to its own number. No key update, here and in heads: a claim does not skip or wait for a
-- job that an enqueue is just tying others to. The last column tells of the workflow run of a step. Subqueries by primary key, not a
-- join: after one large run the planner took a merge over all frames for the shortest way to a root.
select
    q.lane,
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
from unnest(:lane::text[], :most::bigint[]) as q (lane, most)
cross join lateral (
    select id, rank, cost, type, frame, frame_revision
    from headgate_job
    where lane = q.lane and state = 'QUEUED'
    order by rank
    limit q.most
    for no key update skip locked
) h
