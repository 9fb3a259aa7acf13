package dev.headgate.sqlite;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The columns that a statement reads from its rows. Statement files name them, as in {@code r.value ->> 'rank'}; what
 * SQLite gets has their numbers, and the rows are lists in that order. To find a name in an object it compares one label
 * after the other: for a row of 22 columns that was measured at 13 microseconds, against 8 for a list.
 *
 * @param names in the order in which the statement first reads them
 */
record RowColumns(List<String> names) {
    private static final Pattern READ = Pattern.compile("\\bvalue ->> '([a-z_]+)'");

    static RowColumns of(String statement) {
        Set<String> names = new LinkedHashSet<>();
        READ.matcher(statement).results().map(found -> found.group(1)).forEach(names::add);
        return new RowColumns(new ArrayList<>(names));
    }

    /** The statement with numbers in place of the names. */
    static String numbered(String statement) {
        List<String> names = of(statement).names();
        Matcher reads = READ.matcher(statement);
        return reads.replaceAll((MatchResult found) -> "value ->> " + names.indexOf(found.group(1)));
    }
}
