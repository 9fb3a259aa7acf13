-- Edges first, while the rows still tell whose they are.
delete from headgate_edge
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
-- then
delete from headgate_attempt
where ended_at < :before
    and job not in (select id from headgate_job)
    and job not in (select id from headgate_history)
-- then
delete from headgate_log
where at < :before
    and job not in (select id from headgate_job)
    and job not in (select id from headgate_history)
