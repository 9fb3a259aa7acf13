delete from headgate_worker
where id = :id
