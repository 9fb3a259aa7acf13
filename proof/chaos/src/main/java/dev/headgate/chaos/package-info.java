/**
 * Real worker processes on a real store, under real faults: killed, stopped, cut off, restarted, failed over. Start at
 * {@link dev.headgate.chaos.Chaos}. It knows nothing of how Headgate works inside: it judges by what handlers wrote down
 * themselves, by what the client was told, and by what the front door says afterwards.
 */
@NullMarked
package dev.headgate.chaos;

import org.jspecify.annotations.NullMarked;
