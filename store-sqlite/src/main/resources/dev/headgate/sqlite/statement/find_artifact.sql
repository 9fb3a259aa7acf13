select content
from headgate_artifact
where run = :run and name = :name
