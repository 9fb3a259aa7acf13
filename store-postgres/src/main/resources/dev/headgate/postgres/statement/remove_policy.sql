delete from headgate_policy
where key = :key
