select name, version, shape, since
from headgate_workflow
where :name::text is null or name = :name::text
order by name, version
