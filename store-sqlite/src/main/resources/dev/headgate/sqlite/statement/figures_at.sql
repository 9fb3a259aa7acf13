select grain, at, source, data
from headgate_figure
where grain = :grain and at in (select value from json_each(:at)) and source = ''
order by at
