-- A block range index is read in no other way. Otherwise it is off.
set local enable_bitmapscan = on
-- then
with old as (
    delete from headgate_history
    where ctid = any(array(
        select ctid
        from headgate_history
        where finished_at < :before
        limit :limit
        for update skip locked
    ))
    returning id
),
attempts as (
    delete from headgate_attempt
    where job in (select id from old)
),
lines as (
    delete from headgate_log
    where job in (select id from old)
),
edges as (
    delete from headgate_edge
    where job in (select id from old)
)
select id
from old
