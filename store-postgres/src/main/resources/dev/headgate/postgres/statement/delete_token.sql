delete from headgate_token
where id = :id
