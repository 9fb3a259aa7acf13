insert into headgate_worker (id, name, queues, slots, started_at, lease_until, holding, room, lost_max)
values (:id, :name, :queues, :slots, :started_at, :lease_until, :holding, :room, :lost_max)
