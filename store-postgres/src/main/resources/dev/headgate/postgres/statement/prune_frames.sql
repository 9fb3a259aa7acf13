-- Arrays, not joins: the planner may read all of what goes with these rows.
with gone as (
    delete from headgate_frame
    where id = any(:ids::bigint[])
    returning id
),
events as (
    delete from headgate_event
    where frame = any(:ids::bigint[])
),
artifacts as (
    delete from headgate_artifact
    where run = any(:ids::bigint[])
),
signals as (
    delete from headgate_signal
    where run = any(:ids::bigint[])
),
keys as (
    delete from headgate_signal_key
    where run = any(:ids::bigint[])
)
select id
from gone
