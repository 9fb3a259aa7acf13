package dev.headgate.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Made-up expressions against a matcher that looks at every minute: the library must agree with what Unix says. */
class CronLawTest {
    private static final LocalDateTime START = LocalDateTime.of(2027, 12, 20, 0, 0);
    private static final int MINUTES = 90 * 24 * 60;

    @Test
    void everyMinuteThatMatchesComesAndNoOther() {
        Random random = new Random(5);
        for (int round = 0; round < 150; round++) {
            String[] fields = {
                field(random, 0, 59), field(random, 0, 23), field(random, 1, 28), field(random, 1, 12), day(random)
            };
            String expression = String.join(" ", fields);
            List<LocalDateTime> expected = new ArrayList<>();
            for (int minute = 1; minute < MINUTES && expected.size() < 200; minute++) {
                LocalDateTime at = START.plusMinutes(minute);
                if (isMatch(fields, at)) {
                    expected.add(at);
                }
            }
            LocalCron cron = LocalCron.of(expression);
            LocalDateTime at = START;
            for (LocalDateTime wanted : expected) {
                at = cron.after(at);
                assertThat(at).as(expression).isEqualTo(wanted);
                at = at.plusNanos(random.nextLong(1_000_000_000L)); // a part of a second changes nothing
            }
        }
    }

    private static String field(Random random, int min, int max) {
        int one = min + random.nextInt(max - min + 1);
        int two = one + random.nextInt(max - one + 1);
        return switch (random.nextInt(6)) {
            case 0 -> Integer.toString(one);
            case 1 -> "%d-%d".formatted(one, two);
            case 2 -> "*/%d".formatted(1 + random.nextInt(Math.max(1, max / 2)));
            case 3 -> "%d,%d".formatted(one, two);
            default -> "*";
        };
    }

    private static String day(Random random) {
        return random.nextInt(3) == 0 ? field(random, 0, 7) : "*";
    }

    private static boolean isMatch(String[] fields, LocalDateTime at) {
        int weekday = at.getDayOfWeek().getValue();
        boolean isDay = isIn(fields[2], at.getDayOfMonth(), 1, 31);
        boolean isWeekday = isIn(fields[4], weekday, 0, 7) || (weekday == 7 && isIn(fields[4], 0, 0, 7));
        boolean isDate = fields[2].equals("*") ? isWeekday : fields[4].equals("*") ? isDay : isDay || isWeekday;
        return isIn(fields[0], at.getMinute(), 0, 59)
                && isIn(fields[1], at.getHour(), 0, 23)
                && isIn(fields[3], at.getMonthValue(), 1, 12)
                && isDate;
    }

    private static boolean isIn(String field, int value, int min, int max) {
        for (String part : field.split(",", -1)) {
            String[] range = part.split("/", -1);
            int step = range.length == 1 ? 1 : Integer.parseInt(range[1]);
            String[] ends = range[0].equals("*") ? new String[] {"" + min, "" + max} : range[0].split("-", -1);
            int from = Integer.parseInt(ends[0]);
            if (value >= from && value <= Integer.parseInt(ends[ends.length - 1]) && (value - from) % step == 0) {
                return true;
            }
        }
        return false;
    }
}
