package dev.headgate.cli.policies;

import dev.headgate.Headgate;
import dev.headgate.Policies;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The author of a change from a command line, and the reason for it. */
public final class ChangeAuthor {
    @Option(names = "--by", paramLabel = "NAME", description = "who makes this change; else the name of the user")
    private @Nullable String author;

    @Option(names = "--because", paramLabel = "TEXT", description = "why; kept in the history")
    private String reason = "";

    public Policies on(Headgate headgate) {
        return headgate.policies().by(author()).because(reason);
    }

    public String author() {
        String user = System.getProperty("user.name", "");
        return author != null ? author : user.isBlank() ? "unknown" : user;
    }

    /** Both in one line, where only one line is kept. */
    public String line() {
        return reason.isBlank() ? "by " + author() : "by %s: %s".formatted(author(), reason);
    }

    public String reason() {
        return reason;
    }
}
