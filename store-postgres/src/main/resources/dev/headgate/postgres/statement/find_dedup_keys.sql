select dedup_key, id
from headgate_job
where dedup_key = any(:keys::text[])
