select count(*) from sqlite_master where type = 'table' and name not like 'sqlite\_%' escape '\' and name not like 'headgate\_%' escape '\'
