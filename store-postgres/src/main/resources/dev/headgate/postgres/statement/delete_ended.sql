with gone as (
    delete from headgate_history
    where id = :id
    returning *
),
attempts as (
    delete from headgate_attempt
    where job = :id
),
lines as (
    delete from headgate_log
    where job = :id
),
edges as (
    delete from headgate_edge
    where job in (select id from gone)
)
select
    id
from gone
