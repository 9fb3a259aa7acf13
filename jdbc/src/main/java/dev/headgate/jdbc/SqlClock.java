package dev.headgate.jdbc;

import dev.headgate.spi.StoreClock;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The clock of a database that is a round trip away. A reading can travel with another statement and is taken right
 * behind it; the next question is answered by it, once, unless the database was asked something in between.
 */
public final class SqlClock implements StoreClock {
    private final Session sql;
    private final SqlText text;
    private @Nullable Long ridden;
    private boolean isRiding;
    private long trip;

    /** @param query answers microseconds since 1970 */
    public SqlClock(Session sql, String query) {
        this.sql = sql;
        this.text = SqlText.fixed("clock", query);
    }

    /** Takes a reading behind the next statement. */
    void ride() {
        if (!isRiding) {
            isRiding = true;
            sql.follow(text, (rows, count) -> {
                Objects.requireNonNull(rows, "a clock answers").next();
                ridden = rows.getLong(1);
                trip = sql.trips();
                isRiding = false;
            });
        }
    }

    @Override
    public long micros() {
        if (isRiding) {
            sql.flush();
        }
        Long reading = ridden;
        ridden = null;
        return reading != null && trip == sql.trips()
                ? reading
                : sql.query(text, Map.of(), Row::number).getFirst();
    }
}
