-- Roots last: what is below them is found through them.
delete from headgate_event
where frame in (
    select id
    from (select id from headgate_frame where parent is null and ended_at < :before order by ended_at limit :limit)
    union all
    select id
    from headgate_frame
    where root in (select id from headgate_frame where parent is null and ended_at < :before order by ended_at limit :limit)
        and parent is not null
)
-- then
delete from headgate_artifact
where run in (
    select id
    from (select id from headgate_frame where parent is null and ended_at < :before order by ended_at limit :limit)
    union all
    select id
    from headgate_frame
    where root in (select id from headgate_frame where parent is null and ended_at < :before order by ended_at limit :limit)
        and parent is not null
)
-- then
delete from headgate_signal
where run in (
    select id
    from (select id from headgate_frame where parent is null and ended_at < :before order by ended_at limit :limit)
    union all
    select id
    from headgate_frame
    where root in (select id from headgate_frame where parent is null and ended_at < :before order by ended_at limit :limit)
        and parent is not null
)
-- then
delete from headgate_signal_key
where run in (
    select id
    from (select id from headgate_frame where parent is null and ended_at < :before order by ended_at limit :limit)
    union all
    select id
    from headgate_frame
    where root in (select id from headgate_frame where parent is null and ended_at < :before order by ended_at limit :limit)
        and parent is not null
)
-- then
delete from headgate_frame
where root in (select id from headgate_frame where parent is null and ended_at < :before order by ended_at limit :limit)
    and parent is not null
-- then
delete from headgate_frame
where id in (select id from headgate_frame where parent is null and ended_at < :before order by ended_at limit :limit)
returning id
