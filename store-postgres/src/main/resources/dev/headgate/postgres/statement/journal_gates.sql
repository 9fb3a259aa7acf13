select distinct gate
from headgate_journal
