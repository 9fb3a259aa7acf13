select name, version, shape, since
from headgate_workflow
where :name is null or name = :name
order by name, version
