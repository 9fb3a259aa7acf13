insert into headgate_attempt (job, epoch, number, worker, started_at, ended_at, outcome, error)
values (:job, :epoch, :number, :worker, :started_at, :ended_at, :outcome, :error)
