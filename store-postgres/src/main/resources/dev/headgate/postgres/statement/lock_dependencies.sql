-- Key share: it keeps the job from ending, and nothing else; it may still be claimed, retried or rescheduled.
select id
from headgate_job
where id = any(:ids::bigint[])
order by id
for key share
