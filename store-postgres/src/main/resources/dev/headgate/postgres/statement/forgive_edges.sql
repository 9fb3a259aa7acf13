update headgate_edge
set fatal = 0
where job = any(:jobs::bigint[]) and fatal = 1
