-- What is due, and the first few that come after.
select * from (
    select key, wake_at
    from headgate_gate
    where wake_at is not null and wake_at <= :now
    order by wake_at
    limit :limit
)
union all
select * from (
    select key, wake_at
    from headgate_gate
    where wake_at is not null and wake_at > :now
    order by wake_at
    limit :more
)
