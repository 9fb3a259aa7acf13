select value
from headgate_meta
where key = 'policies_pruned'
