/**
 * What a worker may use: slots, memory and the user's own resources, and what jobs need of them.
 * Start with {@link dev.headgate.resource.Needs} and {@link dev.headgate.resource.Headroom}.
 */
@NullMarked
package dev.headgate.resource;

import org.jspecify.annotations.NullMarked;
