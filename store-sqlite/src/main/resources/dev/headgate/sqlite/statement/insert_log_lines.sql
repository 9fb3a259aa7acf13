insert into headgate_log (job, epoch, at, line)
select :job, :epoch, r.value ->> 'at', r.value ->> 'text'
from jsonb_each(:rows) r
