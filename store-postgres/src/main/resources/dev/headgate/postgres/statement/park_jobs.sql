update headgate_job as j
set state = 'PARKED',
    park_reason = :reason,
    detail = p.detail
from unnest(:job::bigint[], :detail::text[]) as p (job, detail)
where j.id = p.job and j.state = 'QUEUED'
