select grain, at, source, data
from headgate_figure
where grain = :grain and at = any(:at::bigint[]) and source = ''
order by at
