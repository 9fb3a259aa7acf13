-- Arrays, not joins: the planner may read all of what goes with these rows.
with gone as (
    delete from headgate_history
    where id = any(:ids::bigint[])
    returning id
),
attempts as (
    delete from headgate_attempt
    where job = any(array(select id from gone))
),
lines as (
    delete from headgate_log
    where job = any(array(select id from gone))
),
edges as (
    delete from headgate_edge
    where job = any(array(select id from gone))
)
select id
from gone
