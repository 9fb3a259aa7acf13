select distinct queue, gates
from headgate_job
