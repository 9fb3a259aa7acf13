-- No condition with "or" and no join: each asks for a plan that may read all frames. The fence (offset 0) leaves one way to the jobs.
select j.id
from (
    select :root::bigint as id
    union all
    select id
    from headgate_frame
    where root = :root and parent is not null
) f
cross join lateral (
    select id
    from headgate_job
    where frame = f.id and frame is not null and state <> 'RUNNING' and state = 'PARKED' and park_reason = 'PAUSED'
    offset 0
) j
order by j.id
