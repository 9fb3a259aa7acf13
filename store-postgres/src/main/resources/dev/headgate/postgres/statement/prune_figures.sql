delete from headgate_figure
where grain = :grain and at < :before
