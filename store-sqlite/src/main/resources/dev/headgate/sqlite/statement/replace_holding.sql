-- What was seen is what is there: no other transaction writes meanwhile.
update headgate_worker
set holding = :holding
where id = :id and holding = :seen and lease_until > :now
