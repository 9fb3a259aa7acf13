select run, name, content
from headgate_artifact
where run = any(:runs::bigint[])
