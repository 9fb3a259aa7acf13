select grain, at, source, data
from headgate_figure
where grain = :grain and (at, source) >= (:from, :source) and at < :to
order by at, source
limit :limit
