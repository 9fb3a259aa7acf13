update headgate_share
set finish = greatest(0, finish - :by)
where resource = :resource
