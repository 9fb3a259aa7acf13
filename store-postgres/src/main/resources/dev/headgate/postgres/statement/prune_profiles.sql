delete from headgate_profile
where updated_at < :before
