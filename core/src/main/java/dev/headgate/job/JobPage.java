package dev.headgate.job;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A part of a list of jobs, newest first.
 *
 * @param next what to go on before; absent if that was all. There may be fewer jobs than asked for and a {@code next} all the
 *     same: then many were looked at and few of them matched.
 */
public record JobPage(List<JobStatus> jobs, @Nullable JobId next) {}
