delete from headgate_arrival
where id in (
    select a.id
    from jsonb_each(:rows) r
    cross join headgate_arrival a on a.id in (
        select b.id
        from headgate_arrival b
        where b.queue = r.value ->> 'queue' and b.rank <= coalesce(
            (
                select l.rank
                from headgate_lane l
                where l.queue = r.value ->> 'queue' and l.share = '' and l.state = 'READY' and :enough > 0
                order by l.rank
                limit 1
                offset max(:enough - 1, 0)
            ),
            9223372036854775807
        )
        order by b.rank, b.id
        limit :limit
    )
)
returning queue, gates, lane, rank, cost, passes
