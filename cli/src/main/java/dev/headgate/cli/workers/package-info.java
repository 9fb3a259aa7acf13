/** Commands that run workers. */
@NullMarked
package dev.headgate.cli.workers;

import org.jspecify.annotations.NullMarked;
