select count(*) from pg_catalog.pg_class where oid = to_regclass('headgate_meta')
