package dev.headgate.spi;

import dev.headgate.run.RunEvent;
import org.jspecify.annotations.Nullable;

/**
 * An event of a frame as stored; appended only.
 *
 * @param spent what the run had spent when it entered a step, as text; for a rewind to it
 */
public record EventRow(
        long frame,
        long number,
        long at,
        RunEvent.Kind kind,
        @Nullable String step,
        @Nullable String detail,
        @Nullable String state,
        @Nullable String spent) {}
