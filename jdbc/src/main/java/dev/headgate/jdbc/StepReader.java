package dev.headgate.jdbc;

import dev.headgate.store.MigrationPlan.Effect;
import dev.headgate.store.MigrationPlan.Step;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads migrations as their steps, and tells what each does. Knows the few kinds of statements that migrations consist of; of any
 * other it says that it may write the table anew. What is said of PostgreSQL is compared with what the server does.
 */
final class StepReader {
    private static final Pattern COMMENT = Pattern.compile("(?m)^\\s*--.*$\\R?");
    private static final String NAME = "(?:if (?:not )?exists )?(\\w+)";
    private static final Pattern CREATE = Pattern.compile("create (?:table|sequence|view) " + NAME + ".*");
    private static final Pattern INDEX = Pattern.compile("create (?:unique )?index .*? on " + NAME + "\\b.*");
    private static final Pattern ALTER = Pattern.compile("alter table " + NAME + " (.*)");
    private static final Pattern ROWS = Pattern.compile("(?:insert into|update|delete from) " + NAME + "\\b.*");

    /** How a table is changed that cannot be altered: its rows move to a new one. */
    private static final Pattern COPY =
            Pattern.compile("insert into \\w+(?: \\([^)]*\\))? select .* from \\w+_before\\b.*");

    private static final Pattern DESCRIPTION =
            Pattern.compile("(?:alter index|drop index|drop table|alter sequence) " + NAME + ".*");

    /** Of one change of a table: a new column with a fixed default, what it is called, how it is kept. */
    private static final Pattern ALTER_DESCRIPTION = Pattern.compile(
            "(?:add column (?!.*(?:generated|references|random|clock_timestamp|nextval)).*|drop (?!column).*|rename .*|set \\(.*|alter column \\w+ (?:set|drop) (?:default|not null).*|alter column \\w+ set statistics.*)");

    private static final Pattern ALTER_READS =
            Pattern.compile("(?:add (?:constraint \\w+ )?(?:check|foreign key).*|alter column \\w+ set not null.*)");

    private final Set<String> made = new HashSet<>();

    List<Step> read(int version, String migration, String text) {
        List<Step> steps = new ArrayList<>();
        for (String part : text.split(";\\s*\n", -1)) {
            if (!COMMENT.matcher(part).replaceAll("").isBlank()) {
                steps.add(step(version, migration, part.strip()));
            }
        }
        return steps;
    }

    private Step step(int version, String migration, String part) {
        String sql = COMMENT.matcher(part).replaceAll("").strip();
        String line = sql.replaceAll("\\s+", " ").toLowerCase(Locale.ROOT);
        Matcher create = CREATE.matcher(line);
        if (create.matches()) {
            made.add(create.group(1));
            return new Step(version, migration, Effect.NEW, create.group(1), sql);
        }
        for (Kind kind : Kind.values()) {
            Matcher found = kind.pattern.matcher(line);
            if (found.matches()) {
                String table = found.group(1);
                return new Step(version, migration, effect(kind, found, line), table, sql);
            }
        }
        return new Step(version, migration, Effect.REWRITES, "", sql);
    }

    private Effect effect(Kind kind, Matcher found, String line) {
        if (COPY.matcher(line).matches()) {
            return Effect.REWRITES;
        }
        if (made.contains(found.group(1))) {
            return Effect.NEW;
        }
        return kind == Kind.ALTER ? alteration(found.group(2)) : kind.effect;
    }

    private enum Kind {
        INDEX(StepReader.INDEX, Effect.READS),
        ALTER(StepReader.ALTER, Effect.REWRITES),
        ROWS(StepReader.ROWS, Effect.ROWS),
        DESCRIPTION(StepReader.DESCRIPTION, Effect.DESCRIPTION);

        private final Pattern pattern;
        private final Effect effect;

        Kind(Pattern pattern, Effect effect) {
            this.pattern = pattern;
            this.effect = effect;
        }
    }

    /** Several changes of one table in one statement cost what the dearest of them does. */
    private static Effect alteration(String changes) {
        Effect most = Effect.DESCRIPTION;
        for (String change : changes.split(", (?=(?:add|alter|drop|rename) )", -1)) {
            Effect effect = ALTER_READS.matcher(change).matches()
                    ? Effect.READS
                    : ALTER_DESCRIPTION.matcher(change).matches() ? Effect.DESCRIPTION : Effect.REWRITES;
            most = effect.compareTo(most) > 0 ? effect : most;
        }
        return most;
    }
}
