insert into headgate_log (job, epoch, at, line)
select :job, :epoch, l.at, l.text
from unnest(:at::bigint[], :text::text[]) as l (at, text)
