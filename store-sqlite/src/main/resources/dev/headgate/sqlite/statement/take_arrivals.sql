delete from headgate_arrival
where id in (
    select a.id
    from jsonb_each(:rows) r
    cross join headgate_arrival a on a.id in (
        select b.id
        from headgate_arrival b
        where b.queue = r.value ->> 'queue'
        order by b.rank, b.id
        limit :limit
    )
)
returning queue, gates, lane, rank, cost, passes
