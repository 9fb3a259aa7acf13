-- Jobs of frames that have ended or moved on, in a tree.
select j.id
from headgate_frame f
join headgate_job j on j.frame = f.id
where (f.id = :root or (f.root = :root and f.parent is not null))
    and j.frame_revision >= -1
    and j.cancel_requested = 0
    and (f.state in ('SUCCEEDED', 'FAILED', 'CANCELLED') or (j.frame_revision >= 0 and j.frame_revision <> f.revision))
order by j.id
limit :limit
