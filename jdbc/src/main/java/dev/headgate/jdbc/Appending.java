package dev.headgate.jdbc;

import dev.headgate.internal.json.PairsText;
import dev.headgate.job.JobSpec;
import dev.headgate.spi.JobTable.NewRow;
import dev.headgate.spi.Pending;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Appends jobs that need no look at what is there. Most calls bring one job, or many that differ in nothing but their
 * payloads: what they share is sent once, and only the payloads as a list.
 */
final class Appending {
    private Appending() {}

    /**
     * Returns their ids as the database tells them.
     *
     * @param policies the version under which they were checked; a database that is far appends none if another one is stored
     */
    static Pending<List<Long>> append(Session sql, List<NewRow> rows, @Nullable Long policies) {
        if (rows.isEmpty()) {
            return Pending.of(List.of());
        }
        NewRow first = rows.getFirst();
        if (!rows.stream().allMatch(first::isLike)) {
            Batch batch = sql.batch("append_jobs").set("policies", policies);
            rows.forEach(row -> set(batch.row(), row));
            return batch.listLater(Row::number);
        }
        Call call = sql.call("append_alike");
        set(call::set, call::set, first);
        return call.setTexts(
                        "payloads",
                        rows.stream().map(row -> row.spec().payload()).toList())
                .set("jobs", rows.size())
                .set("policies", policies)
                .listLater(Row::number);
    }

    /** Sets the columns of one row. */
    static Batch set(Batch batch, NewRow row) {
        set(batch::set, batch::set, row);
        return batch.set("payload", row.spec().payload());
    }

    private interface Texts {
        void set(String name, @Nullable String value);
    }

    private interface Numbers {
        void set(String name, @Nullable Long value);
    }

    /** All but the payload. */
    private static void set(Texts texts, Numbers numbers, NewRow row) {
        JobSpec spec = row.spec();
        texts.set("queue", spec.lane().queue());
        texts.set("gates", Columns.joined(spec.lane().gates()));
        texts.set("lane", spec.lane().id());
        texts.set("type", spec.type());
        texts.set("cost", spec.cost().text());
        numbers.set("priority", (long) spec.order().priority());
        numbers.set("front", Columns.front(spec));
        numbers.set("timeout", Columns.micros(spec.tries().timeout()));
        numbers.set("deadline", Columns.micros(spec.tries().deadline()));
        numbers.set("attempts_max", (long) spec.tries().attemptsMax());
        texts.set("retry", spec.tries().retry());
        texts.set("labels", PairsText.of(spec.attributes().labels()));
        texts.set("headers", PairsText.of(spec.attributes().headers()));
        numbers.set(
                "frame", spec.frame() == null ? null : Long.valueOf(spec.frame().frame()));
        numbers.set(
                "frame_revision",
                spec.frame() == null ? null : Long.valueOf(spec.frame().revision()));
        texts.set("state", row.state().name());
        numbers.set("enqueued_at", row.isTimed() ? Long.valueOf(row.now()) : null);
        numbers.set("run_at", row.isTimed() ? Long.valueOf(row.runAt()) : null);
        numbers.set("capped_queue", row.caps().isQueue() ? 1L : 0L);
        texts.set("capped_gate", row.caps().gate());
    }
}
