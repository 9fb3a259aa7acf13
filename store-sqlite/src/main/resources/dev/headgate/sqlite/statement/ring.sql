insert into headgate_arrival (lane, queue, gates, rank, cost)
values (:lane, :queue, :gates, :rank, :cost)
