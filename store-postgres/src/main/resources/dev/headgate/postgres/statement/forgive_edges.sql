update headgate_edge
set fatal = 0
where job = :job and fatal = 1
