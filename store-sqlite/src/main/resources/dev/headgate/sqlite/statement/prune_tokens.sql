delete from headgate_token
where expires_at < :before
