insert into headgate_worker (id, name, queues, slots, started_at, lease_until, holding, room)
values (:id, :name, :queues, :slots, :started_at, :lease_until, :holding, :room)
