update headgate_share
set finish = max(0, finish - :by)
where resource = :resource
