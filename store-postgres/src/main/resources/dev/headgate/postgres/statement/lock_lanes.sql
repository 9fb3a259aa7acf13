-- Skips lanes that filing holds: they are being made ready anyway, and waiting for them could deadlock.
select
    id, queue, gates, state, rank, cost, waiting_at, since, passes, share
from headgate_lane
where id = any(:lanes::text[])
order by id
for update skip locked
