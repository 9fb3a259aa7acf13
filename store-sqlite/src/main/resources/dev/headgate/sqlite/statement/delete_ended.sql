delete from headgate_history
where id = :id
