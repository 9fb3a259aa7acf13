-- One writer at a time: numbers are committed in their order.
select seq, 1
from sqlite_sequence
where name = 'headgate_job'
