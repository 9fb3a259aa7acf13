/**
 * What a worker has room for: what jobs need, declared or learnt from earlier runs, and what the heap, the container and
 * the user's own gauges have left. Start with {@link dev.headgate.room.Needs} and {@link dev.headgate.room.Headroom}.
 * Knows no store and no thread; time is handed in.
 */
@NullMarked
package dev.headgate.room;

import org.jspecify.annotations.NullMarked;
