delete from headgate_frame
where id in (select value from json_each(:ids))
