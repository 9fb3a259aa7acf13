delete from headgate_journal
where id in (select value from json_each(:ids))
