/** Commands about jobs: enqueue, list, explain, retry, cancel. */
@NullMarked
package dev.headgate.cli.jobs;

import org.jspecify.annotations.NullMarked;
