delete from headgate_arrival
where id in (
    select a.id
    from jsonb_each(:rows) r
    cross join headgate_arrival a
        on a.queue = r.value ->> 'queue' and a.rank = r.value ->> 'rank' and a.lane = r.value ->> 'lane'
)
