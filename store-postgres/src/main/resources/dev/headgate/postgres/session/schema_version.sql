select value from headgate_meta where key = 'schema_version'
