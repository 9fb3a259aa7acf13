insert into headgate_signal_key (run, key)
values (:run, :key)
on conflict (run, key) do nothing
