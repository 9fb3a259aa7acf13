/** Commands about a whole store: status, doctor, migrate, prune. */
@NullMarked
package dev.headgate.cli.store;

import org.jspecify.annotations.NullMarked;
