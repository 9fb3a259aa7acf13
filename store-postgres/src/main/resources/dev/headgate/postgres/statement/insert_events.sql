insert into headgate_event (frame, number, at, kind, step, detail, state, spent)
select frame, number, at, kind, step, detail, state, spent
from unnest(
    :frame::bigint[], :number::bigint[], :at::bigint[], :kind::text[], :step::text[],
    :detail::text[], :state::text[], :spent::text[]
) as r (frame, number, at, kind, step, detail, state, spent)
