delete from headgate_signal
where id in (select value from json_each(:ids))
returning id
