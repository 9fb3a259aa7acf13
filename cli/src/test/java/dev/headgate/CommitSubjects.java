package dev.headgate;

import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The subjects of commits, and what is wrong with them. A list of words, not a grammar: it finds what is surely wrong. */
final class CommitSubjects {
    private static final int LENGTH_MAX = 72;

    /** Commits from before the rule stay as they are. */
    private static final String SINCE = "2026-11-19T04:30:00Z";

    /** Landed with a subject that says nothing; the commit after it says what it does. History that others have is not rewritten. */
    private static final String SAYS_NOTHING = "84792d6b";

    private static final Pattern BEGIN = Pattern.compile("[A-Z].*|[a-z][\\w/., -]*: \\S.*");
    private static final Pattern AREA = Pattern.compile("^[a-z][\\w/., -]*: ");
    private static final Pattern VAGUE = Pattern.compile(
            "(?i)(wip|misc|tmp|temp|stuff|various|small|minor|more|some|fixup!|squash!|amend!)\\b.*"
                    + "|(fix|clean ?up|update|improve|change|polish|tidy|review)( (it|this|that|up|stuff|things|code|tests?|build|docs|comments?))?");
    private static final Pattern NOT_IMPERATIVE = Pattern.compile(
            "(?i)(add|fix|chang|remov|updat|mov|renam|mak|us|improv|implement|introduc|delet|mend|writ|hold|test|giv|tak)(s|es|ed|ing)\\b.*"
                    + "|(made|wrote|held|gave|took)\\b.*");

    private CommitSubjects() {}

    /** What is wrong with these, each as {@code hash subject}. */
    static List<String> faults(List<String> commits) {
        List<String> faults = new ArrayList<>();
        for (String commit : commits) {
            String subject = commit.substring(commit.indexOf(' ') + 1);
            String said = AREA.matcher(subject).replaceFirst("");
            expect(subject.length() <= LENGTH_MAX, commit, "at most %d characters".formatted(LENGTH_MAX), faults);
            expect(BEGIN.matcher(subject).matches(), commit, "a capital or 'area: ' at its beginning", faults);
            expect(!subject.endsWith("."), commit, "no period at its end", faults);
            expect(!VAGUE.matcher(said).matches(), commit, "what the commit does to what", faults);
            expect(
                    !NOT_IMPERATIVE.matcher(said).matches(),
                    commit,
                    "the imperative: 'Add', not 'Added' or 'Adds'",
                    faults);
        }
        return faults;
    }

    private static void expect(boolean isSo, String commit, String expected, List<String> faults) {
        if (!isSo) {
            faults.add("%s: expected %s".formatted(commit, expected));
        }
    }

    /** The commits that are newer than the rule, as {@code hash subject}. Skips the test where there is no history. */
    static List<String> ofThisCheckout() throws InterruptedException {
        try {
            Process git = new ProcessBuilder("git", "log", "--no-merges", "--since=" + SINCE, "--format=%h %s")
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            List<String> commits = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(commit -> !commit.startsWith(SAYS_NOTHING))
                    .toList();
            assumeTrue(git.waitFor() == 0, "no clone of a repository");
            return commits;
        } catch (IOException noGit) {
            return abort("no git to ask: " + noGit.getMessage());
        }
    }
}
