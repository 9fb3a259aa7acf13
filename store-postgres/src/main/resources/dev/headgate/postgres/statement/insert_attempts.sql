insert into headgate_attempt (job, epoch, number, worker, started_at, ended_at, outcome, error)
select job, epoch, number, worker, started_at, ended_at, outcome, error
from unnest(
    :job::bigint[], :epoch::bigint[], :number::bigint[], :worker::text[],
    :started_at::bigint[], :ended_at::bigint[], :outcome::text[], :error::text[]
) as a (job, epoch, number, worker, started_at, ended_at, outcome, error)
