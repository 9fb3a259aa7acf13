update headgate_worker
set holding = :holding
where id = :id
