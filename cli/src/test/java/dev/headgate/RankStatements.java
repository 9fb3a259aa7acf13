package dev.headgate;

import dev.headgate.job.JobSpec.Order;
import java.util.regex.Pattern;

/**
 * The rule of {@link Order#rank} as statements write it. Only the store knows the numbers that it draws, so the sum is written again in
 * each statement that draws one; written in any other way it would put some jobs in another order than the rest.
 */
final class RankStatements {
    private static final String PRIORITY = "(?:\\w+\\.)?priority|:priority(?:::bigint)?|\\(n\\.value ->> 'priority'\\)";
    private static final String FRONT = "(?:\\w+\\.)?front|:front(?:::bigint)?|\\(n\\.value ->> 'front'\\)";

    /** {@link Order#rank}: the first bit of {@code front} says whether it goes to the front. */
    private static final String SUM =
            "([\\w.]+) - (?:%s) \\* %d - case when (?:%s) & 1 = 1 then %d \\+ 2 \\* \\(\\1 %% %d\\) else 0 end"
                    .formatted(PRIORITY, Order.PER_PRIORITY, FRONT, Order.FRONT_BLOCK + 1, Order.FRONT_BLOCK);

    private static final String CHANGE =
            "rank \\+ \\(priority - (?:%s)\\) \\* %d".formatted(PRIORITY, Order.PER_PRIORITY);

    /** {@code JobRow.takesNewPlace}: the second bit of {@code front} says whether it keeps its place. */
    private static final String TAKES_NEW_PLACE = "(\\w+\\.|)epoch = 0 and \\1front < 2";

    private static final Pattern COMMENT = Pattern.compile("--.*");
    private static final Pattern SPACE = Pattern.compile("\\s+");
    private static final Pattern PART = Pattern.compile("\\b(%d|%d|%d)\\b|\\bfront [<>&]|\\bepoch = 0\\b|& 1\\b"
            .formatted(Order.PER_PRIORITY, Order.FRONT_BLOCK, Order.FRONT_BLOCK + 1));

    private RankStatements() {}

    /** Whether a statement says the rule as this class knows it, or nothing of it. */
    static boolean isTrue(String statement) {
        String left = SPACE.matcher(COMMENT.matcher(statement).replaceAll("")).replaceAll(" ");
        for (String known : new String[] {SUM, CHANGE, TAKES_NEW_PLACE}) {
            left = left.replaceAll(known, "known");
        }
        return !PART.matcher(left).find();
    }
}
