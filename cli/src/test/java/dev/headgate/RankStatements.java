package dev.headgate;

import dev.headgate.job.Rank;
import java.util.regex.Pattern;

/**
 * The rule of {@link Rank} as statements write it. Only the store knows the numbers that it draws, so the sum is written again in
 * each statement that draws one; written in any other way it would put some jobs in another order than the rest.
 */
final class RankStatements {
    private static final String PRIORITY = "(?:\\w+\\.)?priority|:priority(?:::bigint)?|\\(n\\.value ->> 'priority'\\)";
    private static final String FRONT = "(?:\\w+\\.)?front|:front(?:::bigint)?|\\(n\\.value ->> 'front'\\)";

    /** {@link Rank#of}: the first bit of {@code front} says whether it goes to the front. */
    private static final String SUM =
            "([\\w.]+) - (?:%s) \\* %d - case when (?:%s) & 1 = 1 then %d \\+ 2 \\* \\(\\1 %% %d\\) else 0 end"
                    .formatted(PRIORITY, Rank.PER_PRIORITY, FRONT, Rank.FRONT_BLOCK + 1, Rank.FRONT_BLOCK);

    private static final String CHANGE =
            "rank \\+ \\(priority - (?:%s)\\) \\* %d".formatted(PRIORITY, Rank.PER_PRIORITY);

    /** {@code JobRow.takesNewPlace}: the second bit of {@code front} says whether it keeps its place. */
    private static final String TAKES_NEW_PLACE = "(\\w+\\.|)epoch = 0 and \\1front < 2";

    private static final Pattern COMMENT = Pattern.compile("--.*");
    private static final Pattern SPACE = Pattern.compile("\\s+");
    private static final Pattern PART = Pattern.compile("\\b(%d|%d|%d)\\b|\\bfront [<>&]|\\bepoch = 0\\b|& 1\\b"
            .formatted(Rank.PER_PRIORITY, Rank.FRONT_BLOCK, Rank.FRONT_BLOCK + 1));

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
