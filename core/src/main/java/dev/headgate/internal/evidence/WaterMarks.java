package dev.headgate.internal.evidence;

import dev.headgate.evidence.Certificate.Judgement;
import dev.headgate.evidence.Certificate.WaterMark;
import dev.headgate.internal.time.Micros;
import dev.headgate.spi.JournalTable.Entry;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Collects what one view says about the starts under one limit. */
final class WaterMarks {
    private final List<WaterMark> examples = new ArrayList<>();
    private @Nullable WaterMark tightest;
    private long violations;

    void add(Entry batch, Check check) {
        long room = check.allowed - check.used;
        if (room < 0) {
            violations++;
            if (examples.size() < Judgement.EXAMPLES_MAX) {
                examples.add(moment(batch, check));
            }
        }
        if (tightest == null || room < tightest.allowed() - tightest.used()) {
            tightest = moment(batch, check);
        }
    }

    private static WaterMark moment(Entry batch, Check check) {
        return new WaterMark(
                Micros.instant(batch.event().at()),
                Micros.instant(check.since),
                check.used,
                check.allowed,
                check.figures());
    }

    Judgement judgement() {
        return new Judgement(violations, List.copyOf(examples), tightest);
    }
}
