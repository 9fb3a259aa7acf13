insert into headgate_signal (run, name, json, at)
values (:run, :name, :json, :now)
returning id
