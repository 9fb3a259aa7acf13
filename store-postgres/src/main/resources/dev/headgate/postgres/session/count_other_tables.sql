select count(*) from pg_catalog.pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'f') and relname not like 'headgate\_%'
