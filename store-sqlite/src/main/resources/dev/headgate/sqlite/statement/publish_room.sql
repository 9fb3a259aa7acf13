update headgate_worker
set room = :room
where id = :id
