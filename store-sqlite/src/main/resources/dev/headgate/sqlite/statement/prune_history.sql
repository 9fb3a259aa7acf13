-- The rows last, because they tell what goes with them. What is old is found by its end, again and again the same.
delete from headgate_edge
where job in (
    select id
    from headgate_history
    where finished_at < :before
    order by finished_at
    limit :limit
)
-- then
delete from headgate_attempt
where job in (
    select id
    from headgate_history
    where finished_at < :before
    order by finished_at
    limit :limit
)
-- then
delete from headgate_log
where job in (
    select id
    from headgate_history
    where finished_at < :before
    order by finished_at
    limit :limit
)
-- then
delete from headgate_history
where id in (
    select id
    from headgate_history
    where finished_at < :before
    order by finished_at
    limit :limit
)
returning id
