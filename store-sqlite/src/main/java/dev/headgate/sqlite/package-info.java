/**
 * The embedded store: one file, no server, the default.
 * Its statements are the files under {@code statement/}, its schema those under {@code migration/}.
 */
@NullMarked
package dev.headgate.sqlite;

import org.jspecify.annotations.NullMarked;
