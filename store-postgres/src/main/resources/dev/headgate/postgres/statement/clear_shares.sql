delete from headgate_share
where resource = :resource
