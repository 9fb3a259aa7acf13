-- Arrays, not joins: the planner takes the limit for a tenth of the table and would read all of what goes with it.
with old as (
    select id
    from headgate_frame
    where parent is null and ended_at < :before
    order by ended_at
    limit :limit
    for update skip locked
),
tree as materialized (
    select id from old
    union all
    select id from headgate_frame where root = any(array(select id from old)) and parent is not null
),
gone as (
    delete from headgate_frame
    where id = any(array(select id from tree))
    returning id
),
events as (
    delete from headgate_event
    where frame = any(array(select id from tree))
),
artifacts as (
    delete from headgate_artifact
    where run = any(array(select id from tree))
),
signals as (
    delete from headgate_signal
    where run = any(array(select id from tree))
),
keys as (
    delete from headgate_signal_key
    where run = any(array(select id from tree))
)
select id
from old
