update headgate_worker
set slots = :slots, room = :room
where id = :id
