insert into headgate_log (job, epoch, at, line)
values (:job, :epoch, :at, :text)
