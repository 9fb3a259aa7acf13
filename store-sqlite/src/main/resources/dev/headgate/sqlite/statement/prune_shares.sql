delete from headgate_share
where resource = :resource and standing = 0 and running = 0 and finish <= :virtual
