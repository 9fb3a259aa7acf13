select dedup_key, id
from headgate_job
where dedup_key in (select value from json_each(:keys))
