insert into headgate_workflow (name, version, shape, since)
values (:name, :version, :shape, :since)
on conflict (name, version) do nothing
