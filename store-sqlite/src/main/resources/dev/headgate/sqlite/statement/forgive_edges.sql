update headgate_edge
set fatal = 0
where job in (select value from json_each(:jobs)) and fatal = 1
