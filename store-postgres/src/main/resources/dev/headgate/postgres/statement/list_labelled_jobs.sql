-- So many of the newest that have labels are looked at: the others are not in the index.
select id
from (
    select id, queue, type, state, gates, labels
    from headgate_job
    where labels is not null and id < :before
    order by id desc
    limit :look
) j
where (:queue::text is null or queue = :queue::text)
    and (:type::text is null or type = :type::text)
    and (:state::text is null or state = :state::text)
    and (:gate::text is null or strpos(E'\n' || gates || E'\n', :gate::text) > 0)
    and not exists (select from unnest(:labels::text[]) as w (pair) where strpos(j.labels, w.pair) = 0)
order by id desc
limit :limit
