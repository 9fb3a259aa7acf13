select run, name, content
from headgate_artifact
where run in (select value from json_each(:runs))
