-- By the index and in order: it marks the entries of taken rows as dead and skips them from then on. Without the order
-- a sequential scan walked over every row ever taken: 45 ms a call once a million had passed.
delete from headgate_arrival
where ctid = any(array(
    select a.ctid
    from unnest(:queue::text[]) as q (queue)
    cross join lateral (
        select ctid
        from headgate_arrival
        where queue = q.queue and rank <= coalesce(
            (
                select rank
                from headgate_lane
                where queue = q.queue and share = '' and state = 'READY' and :enough > 0
                order by rank
                offset greatest(:enough - 1, 0)
                limit 1
            ),
            9223372036854775807
        )
        order by rank, id
        limit :limit
        for update skip locked
    ) a
))
returning queue, gates, lane, rank, cost, passes
