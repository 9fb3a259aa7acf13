package dev.headgate.cli;

import dev.headgate.Headgate;
import dev.headgate.Migrations;
import dev.headgate.cli.display.StillWorking;
import dev.headgate.cli.display.Table;
import dev.headgate.cli.display.Terminal;
import dev.headgate.internal.json.JsonWriter;
import dev.headgate.internal.json.Secrets;
import dev.headgate.internal.text.Text;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What all commands share: where to write, which store to open, and whether to print for people or machines. */
public final class CommandContext {
    private static final String STORE_DEFAULT = "jdbc:sqlite:headgate.db";
    private static final String SQLITE = "jdbc:sqlite:";
    private static final String IN_MEMORY = SQLITE + ":memory:";
    private static final int EXCERPT_LENGTH = 2_000;
    private static final Pattern PASSWORD = Pattern.compile("(?i)[?&](ssl)?password=[^&]|//[^/@]*:[^/@]*@");

    private final PrintWriter out;
    private final PrintWriter err;
    private final InputStream in;
    private final Map<String, String> environment;
    private final Terminal terminal;
    private final Signals signals;
    private @Nullable String storeGiven;
    private @Nullable String listenGiven;
    private boolean isJson;
    private boolean isRevealing;
    private @Nullable StillWorking working;

    public CommandContext(
            PrintWriter out, PrintWriter err, InputStream in, Map<String, String> environment, Signals signals) {
        this.out = out;
        this.err = err;
        this.in = in;
        this.environment = Map.copyOf(environment);
        this.terminal = Terminal.of(environment);
        this.signals = signals;
    }

    /** From now on a command that takes long says so on standard error. */
    void sayWhileWorking(String words) {
        working = StillWorking.started(err, Terminal.ofErrors(environment), words);
    }

    /** The command has ended, or tells itself how it is going. */
    public void sayNothingMeanwhile() {
        if (working != null) {
            working.close();
        }
    }

    /** What a command that takes long is doing now. */
    public void doing(String words) {
        if (working != null) {
            working.doing(words);
        }
    }

    private void wipe() {
        if (working != null) {
            working.wipe();
        }
    }

    void answerInJson(boolean yes) {
        this.isJson = yes;
    }

    void reveal(boolean yes) {
        this.isRevealing = yes;
    }

    void useStore(String url) {
        this.storeGiven = url;
        warnOfPassword("--store", "HEADGATE_STORE", url);
    }

    void listenAt(String url) {
        this.listenGiven = url;
        warnOfPassword("--listen", "HEADGATE_LISTEN", url);
    }

    /**
     * All users of this machine can read the arguments of a running program, and the shell keeps them in its history.
     */
    private void warnOfPassword(String option, String variable, String url) {
        if (PASSWORD.matcher(url).find()) {
            note("%s: expected no password among the arguments, where others can read it, got one; put the URL into %s"
                    .formatted(option, variable));
        }
    }

    /** The line that says that a command is still at work is gone before anything else is written. */
    public PrintWriter out() {
        wipe();
        return out;
    }

    public PrintWriter err() {
        return err;
    }

    public InputStream in() {
        return in;
    }

    public Signals signals() {
        return signals;
    }

    public Terminal terminal() {
        return terminal;
    }

    public boolean isJson() {
        return isJson;
    }

    public Map<String, String> environment() {
        return environment;
    }

    boolean isDebugging() {
        return !environment.getOrDefault("HEADGATE_DEBUG", "").isEmpty();
    }

    /** The store named on the command line itself; absent if it comes from the environment or is the default. */
    public @Nullable String storeGiven() {
        return storeGiven;
    }

    /** The same for the URL to listen on. */
    @Nullable
    public String listenGiven() {
        return listenGiven;
    }

    /** The store that commands work on. */
    public String storeUrl() {
        if (storeGiven != null) {
            return storeGiven;
        }
        String fromEnvironment = environment.getOrDefault("HEADGATE_STORE", "");
        return fromEnvironment.isBlank() ? STORE_DEFAULT : fromEnvironment;
    }

    /**
     * Opens a store to look at it. It must be there: a mistyped name should not answer "no jobs" from a new, empty file. Nothing
     * is changed, not even the version of its tables.
     */
    public Headgate open() {
        requireFile();
        String url = storeUrl();
        String listening = listening(url);
        return listening == null ? Headgate.openToRead(url) : Headgate.openToRead(url, listening);
    }

    /** Opens a store to change it; a store that does not exist is not created. */
    public Headgate openToChange() {
        requireFile();
        String url = storeUrl();
        if (!isInMemory(url) && Migrations.plan(url).from() == 0) {
            throw noTables(url, "expected a store of Headgate, found a database without its tables");
        }
        return opened(url);
    }

    private void requireFile() {
        Path file = sqliteFile(storeUrl());
        if (file != null && !Files.exists(file)) {
            throw CommandException.store(
                    "store %s: expected a SQLite file, found none; name the store with --store or HEADGATE_STORE, or create this one with 'headgate enqueue', 'headgate gate set' or 'headgate work'; nothing was changed"
                            .formatted(file));
        }
    }

    private static CommandException noTables(String url, String found) {
        return CommandException.store(
                "store %s: %s; check the name in --store or HEADGATE_STORE, or create the tables with 'headgate migrate'; nothing was changed"
                        .formatted(Migrations.plan(url).store(), found));
    }

    private Headgate opened(String url) {
        String listening = listening(url);
        return listening == null ? Headgate.open(url) : Headgate.open(url, listening);
    }

    /** The environment's URL to listen on is meant for stores that can listen on one. */
    private @Nullable String listening(String url) {
        if (listenGiven != null) {
            return listenGiven;
        }
        String fromEnvironment = environment.getOrDefault("HEADGATE_LISTEN", "");
        return fromEnvironment.isBlank() || url.startsWith(SQLITE) ? null : fromEnvironment;
    }

    /**
     * Opens a store, or creates it and says so; but not among the tables of another program.
     *
     * @param rehearsal does on an empty store in memory what the command will do, before one is created: what it complains about
     *     must not leave a store behind
     */
    public Headgate openOrCreate(Consumer<Headgate> rehearsal) {
        return openOrCreate(storeUrl(), rehearsal);
    }

    public Headgate openOrCreate(String url, Consumer<Headgate> rehearsal) {
        boolean isNew = !isInMemory(url) && Migrations.plan(url).from() == 0;
        if (isNew) {
            if (Migrations.hasOtherTables(url)) {
                throw noTables(
                        url, "expected a store of Headgate or an empty database, found one with tables of others only");
            }
            try (Headgate imagined = Headgate.open(IN_MEMORY)) {
                rehearsal.accept(imagined);
            }
        }
        Headgate headgate = opened(url);
        if (isNew) {
            Path file = sqliteFile(url);
            note("created the store %s".formatted(file == null ? headgate.describe() : file));
        }
        return headgate;
    }

    /** Whether there is a store already. */
    public boolean hasStore() {
        String url = storeUrl();
        return isInMemory(url) || Migrations.plan(url).from() > 0;
    }

    /** Opens a store only to see what would be changed: one that is not there yet is taken for an empty one, and not created. */
    public Headgate openOrImagine() {
        String url = storeUrl();
        if (isInMemory(url) || Migrations.plan(url).from() > 0) {
            return open();
        }
        Path file = sqliteFile(url);
        note("there is no store %s yet; this is what a new one would get"
                .formatted(file == null ? Migrations.plan(url).store() : file));
        return Headgate.open(IN_MEMORY);
    }

    private static boolean isInMemory(String url) {
        return url.equals(IN_MEMORY);
    }

    private static @Nullable Path sqliteFile(String url) {
        if (!url.startsWith(SQLITE) || isInMemory(url)) {
            return null;
        }
        try {
            return Path.of(url.substring(SQLITE.length())).toAbsolutePath();
        } catch (InvalidPathException unusable) {
            throw CommandException.usage(
                    "store: expected jdbc:sqlite: and a file name, got one that cannot be: " + unusable.getReason());
        }
    }

    /** A line for people, on standard output. */
    public void say(String line) {
        wipe();
        out.println(visible(line));
        out.flush();
    }

    public void say(Table table) {
        wipe();
        table.lines(terminal.columns()).forEach(out::println);
        out.flush();
    }

    /** A document for machines, on standard output. */
    public void say(JsonWriter document) {
        wipe();
        out.println(isRevealing ? document.toString() : document.withoutSecrets());
        out.flush();
    }

    /** Stored JSON for people: without its secrets, unless they ask for them. */
    public @Nullable String shown(@Nullable String json) {
        return json == null || isRevealing ? json : Secrets.hide(json);
    }

    /** The same, cut to a readable length. */
    public @Nullable String excerpt(@Nullable String json) {
        String shown = shown(json);
        if (shown == null || shown.length() <= EXCERPT_LENGTH) {
            return shown;
        }
        int end = Character.isHighSurrogate(shown.charAt(EXCERPT_LENGTH - 1)) ? EXCERPT_LENGTH - 1 : EXCERPT_LENGTH;
        return "%s… (%d characters in all; --json shows them)".formatted(shown.substring(0, end), shown.length());
    }

    /** A named line of the output; further lines of the value stand below its first. Nothing, if there is no value. */
    public void field(String name, @Nullable Object value) {
        if (value != null) {
            String text = value.toString().replace("\t", "    "); // as stack traces have them
            say("  %-12s %s".formatted(name, text).replace("\n", "\n" + " ".repeat(15)));
        }
    }

    /** A remark beside the output, on standard error. */
    public void note(String remark) {
        wipe();
        err.println(visible(remark));
        err.flush();
    }

    /** Lines stay lines; everything else that could control a terminal is made visible, a lone carriage return too. */
    private static String visible(String text) {
        String lines = text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
        return Arrays.stream(lines.replace("\r\n", "\n").split("\n", -1))
                .map(Text::visible)
                .collect(Collectors.joining("\n"));
    }
}
