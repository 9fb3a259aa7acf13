delete from headgate_gate
where key in (select value from json_each(:gates))
