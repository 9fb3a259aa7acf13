insert into headgate_token (id, name, hash, rights, queues, types, created_at, expires_at, used_at)
values (:id, :name, :hash, :rights, :queues, :types, :created_at, :expires_at, :used_at)
on conflict do nothing
