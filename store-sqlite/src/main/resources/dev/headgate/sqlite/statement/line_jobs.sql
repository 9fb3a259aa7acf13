-- The next job of each lane in line tells which lanes have jobs for this page; of these, as many as the page holds.
with nexts as materialized (
    select l.id as lane
    from (
        select id
        from headgate_lane
        where waiting_at = :gate and state = 'WAITING' and (:queue is null or queue = :queue)
        order by share, rank
        limit :lanes
    ) l
    cross join headgate_job n on n.id = (
        select h.id
        from headgate_job h
        where h.lane = l.id and h.state = 'QUEUED' and h.rank >= :rank and (h.rank > :rank or h.id > :job)
        order by h.rank, h.id
        limit 1
    )
    order by n.rank, n.id
    limit :limit
)
select j.id, j.rank
from nexts
cross join headgate_job j on j.id in (
    select h.id
    from headgate_job h
    where h.lane = nexts.lane and h.state = 'QUEUED' and h.rank >= :rank and (h.rank > :rank or h.id > :job)
    order by h.rank, h.id
    limit :limit
)
order by j.rank, j.id
limit :limit
