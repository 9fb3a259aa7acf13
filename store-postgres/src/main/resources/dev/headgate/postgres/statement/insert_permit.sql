insert into headgate_permit (id, request, ends_at, state)
values (:id, :request, :ends_at, :state)
on conflict do nothing
