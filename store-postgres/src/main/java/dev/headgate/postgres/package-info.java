/**
 * The store for many machines: PostgreSQL keeps the jobs and the clock.
 * Its statements are the files under {@code statement/}, its schema those under {@code migration/}.
 */
@NullMarked
package dev.headgate.postgres;

import org.jspecify.annotations.NullMarked;
