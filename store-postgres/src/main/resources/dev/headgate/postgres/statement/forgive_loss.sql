-- In the order of their ids, as in all statements that lock several jobs.
with held as (
    select id
    from headgate_job
    where id = any(:jobs::bigint[]) and lost > 0
    order by id
    for update
)
update headgate_job as j
set lost = j.lost - 1,
    attempt = j.attempt - 1
from held
where j.id = held.id
returning j.id
