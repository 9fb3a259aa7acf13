-- The next job of each lane in line tells which lanes have jobs for this page; of these, as many as the page holds.
select j.id, j.rank
from (
    select l.id as lane
    from (
        select id
        from headgate_lane
        where waiting_at = :gate and state = 'WAITING' and (:queue::text is null or queue = :queue::text)
        order by share, rank
        limit :lanes
    ) l
    cross join lateral (
        select id, rank
        from headgate_job
        where lane = l.id and state = 'QUEUED' and rank >= :rank and (rank > :rank or id > :job)
        order by rank, id
        limit 1
    ) n
    order by n.rank, n.id
    limit :limit
) nexts
cross join lateral (
    select id, rank
    from headgate_job
    where lane = nexts.lane and state = 'QUEUED' and rank >= :rank and (rank > :rank or id > :job)
    order by rank, id
    limit :limit
) j
order by j.rank, j.id
limit :limit
