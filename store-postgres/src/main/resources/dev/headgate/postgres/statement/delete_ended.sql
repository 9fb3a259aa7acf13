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
)
select
    id
from gone
