-- In the order of time, as far as it takes to find one; if many of other queues come first, queue after queue is asked instead.
select coalesce(
    (
        select s.run_at
        from (
            select queue, run_at
            from headgate_job
            where state = 'SCHEDULED'
            order by run_at
            limit 1000
        ) s
        where s.queue >= :first and s.queue <= :last
        order by s.run_at
        limit 1
    ),
    (
        with recursive named (queue) as (
            select (
                select queue
                from headgate_job
                where state = 'SCHEDULED' and queue >= :first and queue <= :last
                order by queue
                limit 1
            )
            union all
            select (
                select j.queue
                from headgate_job j
                where j.state = 'SCHEDULED' and j.queue > n.queue and j.queue <= :last
                order by j.queue
                limit 1
            )
            from named n
            where n.queue is not null
        )
        select min(
            (
                select j.run_at
                from headgate_job j
                where j.state = 'SCHEDULED' and j.queue = named.queue
                order by j.run_at
                limit 1
            )
        )
        from named
        where queue is not null
    )
)
