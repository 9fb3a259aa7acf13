delete from headgate_schedule_run
where schedule = :name
