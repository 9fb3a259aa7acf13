delete from headgate_schedule
where name = :name
