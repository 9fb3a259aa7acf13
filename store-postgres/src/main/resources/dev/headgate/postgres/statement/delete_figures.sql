delete from headgate_figure f
using unnest(:grain::text[], :at::bigint[], :source::text[]) as r (grain, at, source)
where f.grain = r.grain and f.at = r.at and f.source = r.source
