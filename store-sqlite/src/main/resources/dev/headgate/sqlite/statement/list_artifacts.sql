select name
from headgate_artifact
where run = :run
order by name
