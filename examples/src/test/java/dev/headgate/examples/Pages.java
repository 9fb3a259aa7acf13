package dev.headgate.examples;

import dev.headgate.WorkerBuilder;
import dev.headgate.examples.Page.Block;
import dev.headgate.examples.Page.Mention;
import dev.headgate.job.JobState;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The pages of a checkout, and what is untrue in them. Every answer is a list of faults, empty when all is well. */
final class Pages {
    private static final Pattern TYPE = Pattern.compile("([A-Z][a-z]\\w*)(?:\\.(\\w+))?(?:\\(.*)?");
    private static final Pattern NAME = Pattern.compile("\\bdev\\.headgate(?:\\.[a-z]+)*(?:\\.[A-Z]\\w*)?");
    private static final Pattern TEST = Pattern.compile("\\b([A-Z]\\w*(?:Test|Contract))\\b");
    private static final Pattern TABLE = Pattern.compile("\\b(headgate_[a-z_]+)\\b");
    private static final Pattern ARTIFACT = Pattern.compile("<artifactId>([^<]+)</artifactId>");
    private static final Pattern FILE = Pattern.compile("[\\w.-]+(?:/[\\w.-]+)+\\.(?:java|sql|txt|xml|mutant)");
    private static final Pattern STATE = Pattern.compile("(?m)^    ([A-Z_]+)[,;]");
    private static final Pattern KEYWORD = Pattern.compile("case \"([a-z-]+)\"");
    private static final Pattern WORD = Pattern.compile("(?m)^\\| \\*\\*([a-z -]+)\\*\\*");
    private static final int WORDS_MAX = 60;
    private static final Pattern WAY = Pattern.compile("\\| `(\\w+)\\.\\w+` \\| `([\\w.]+)` \\|");
    private static final Pattern METHOD = Pattern.compile("([A-Z]\\w+)\\.([a-z]\\w*)(?:\\(.*)?");
    private static final Pattern OPTION = Pattern.compile("(?m)^\\| `(\\w+)` \\|");
    private static final Pattern EDGE = Pattern.compile("\\s*([A-Z]+) --> ([A-Z]+)\\b.*");
    private static final int FAILURE_MODES = 30;
    private static final Pattern PROOF = Pattern.compile("`\\w+(?:Test|Contract)\\.\\w+`");
    private static final List<String> JDK =
            List.of("java.lang.", "java.time.", "java.util.", "java.util.concurrent.", "java.sql.", "javax.sql.");

    private final Sources sources;
    private final List<Page> pages;

    private Pages(Sources sources, List<Page> pages) {
        this.sources = sources;
        this.pages = pages;
    }

    static Pages ofThisCheckout() {
        Path directory = Path.of("").toAbsolutePath();
        while (!Files.isDirectory(directory.resolve(".mvn"))) {
            directory = directory.getParent();
            if (directory == null) {
                throw new IllegalStateException(
                        "expected to run inside a checkout, got " + Path.of("").toAbsolutePath());
            }
        }
        return at(directory);
    }

    static Pages at(Path root) {
        Sources sources = Sources.at(root);
        List<Page> pages = new ArrayList<>();
        for (Path file : sources.files()) {
            String name = Sources.slashed(file);
            boolean isPage = name.endsWith(".md") && (!name.contains("/") || name.startsWith("docs/"));
            if (isPage) {
                pages.add(new Page(name, sources.lines(file)));
            }
        }
        return new Pages(sources, pages);
    }

    /** Java on a page is a whole region of an example, so it compiles and was run. */
    List<String> javaThatNoExampleHas() {
        Set<String> known = new HashSet<>(sources.regions().values());
        return blocks("java")
                .filter(shown -> !known.contains(shown.text().stripIndent().strip()) && !isImports(shown))
                .map(shown -> shown.fault("no region of an example reads like this; put it between docs:begin and"
                        + " docs:end in examples/src"))
                .toList();
    }

    private static boolean isImports(Found block) {
        return block.text().lines().allMatch(line -> line.isEmpty() || line.startsWith("import "));
    }

    /** A page shows all imports that its Java needs, and no others. */
    List<String> importsThatDiffer() {
        Map<String, Set<String>> ofRegions = sources.importsOfRegions();
        List<String> faults = new ArrayList<>();
        for (Page page : pages) {
            Set<String> needed = new TreeSet<>();
            Set<String> shown = new TreeSet<>();
            blocks("java").filter(block -> block.page().equals(page.name())).forEach(block -> {
                if (isImports(block)) {
                    block.text().lines().filter(line -> !line.isEmpty()).forEach(shown::add);
                } else {
                    needed.addAll(
                            ofRegions.getOrDefault(block.text().stripIndent().strip(), Set.of()));
                }
            });
            differences(shown, needed, page.name() + ": '%s' is shown, and its Java does not need it", faults);
            differences(needed, shown, page.name() + ": '%s' is needed by its Java, and not shown", faults);
        }
        return faults;
    }

    private static void differences(Set<String> these, Set<String> those, String says, List<String> faults) {
        these.stream()
                .filter(each -> !those.contains(each))
                .map(says::formatted)
                .forEach(faults::add);
    }

    /** The page about the architecture has a row for every package. */
    List<String> packagesThatAreMissing() {
        String page = text("docs/architecture.md");
        return sources.packages().stream()
                .filter(name -> !page.contains("| `" + name + "` |"))
                .map(name -> "docs/architecture.md: no row of a table is about `%s`".formatted(name))
                .toList();
    }

    /** Files that a page names by their path are there. */
    List<String> filesThatDoNotExist() {
        return mentions(Page::spans)
                .filter(span -> FILE.matcher(span.text()).matches() && !sources.exists(span.text()))
                .map(span -> span.fault("no such file"))
                .toList();
    }

    /** On the page that follows a job through the code, each method is declared by the type that is named with it. */
    List<String> methodsThatDoNotExist() {
        return mentions(Page::spans)
                .filter(span -> span.page().equals("docs/job-in-code.md"))
                .filter(span -> {
                    Matcher method = METHOD.matcher(span.text());
                    return method.matches() && !sources.declares(method.group(1) + ".java", method.group(2));
                })
                .map(span -> span.fault("no such method"))
                .toList();
    }

    /** The page that follows a job through the code counts its way right, and the way is no longer than the aim. */
    List<String> waysThatAreMiscounted() {
        String page = "docs/job-in-code.md";
        List<MatchResult> rows = WAY.matcher(text(page)).results().toList();
        long files = rows.stream().map(row -> row.group(1)).distinct().count();
        long packages = rows.stream().map(row -> row.group(2)).distinct().count();
        int changes = 0;
        for (int i = 1; i < rows.size(); i++) {
            changes += rows.get(i).group(2).equals(rows.get(i - 1).group(2)) ? 0 : 1;
        }
        String counted = "%d methods in %d files of %d packages; from row to row the package changes %d times."
                .formatted(rows.size(), files, packages, changes);
        List<String> faults = new ArrayList<>();
        if (!text(page).contains(counted)) {
            faults.add(page + ": expected '" + counted + "'");
        }
        if (files > 45 || changes > 50) {
            faults.add(page + ": expected at most 45 files and 50 changes of package, got " + counted);
        }
        return faults;
    }

    /** The table of a worker's options has a row for each method that sets one, and no others. */
    List<String> optionsThatDiffer() {
        String page = "docs/guides/workers-and-shutdown.md";
        String table = text(page).split("\n\n## The lease", 2)[0];
        Set<String> listed =
                OPTION.matcher(table).results().map(row -> row.group(1)).collect(Collectors.toCollection(TreeSet::new));
        Set<String> known = Arrays.stream(WorkerBuilder.class.getMethods())
                .filter(method -> method.getReturnType().equals(WorkerBuilder.class))
                .map(Method::getName)
                .collect(Collectors.toCollection(TreeSet::new));
        List<String> faults = new ArrayList<>();
        differences(listed, known, page + ": '%s' is listed, and WorkerBuilder has no such option", faults);
        differences(known, listed, page + ": '%s' is an option of WorkerBuilder, and not listed", faults);
        return faults;
    }

    /**
     * The glossary has every state of a job or run and every word in which policies are written; other pages use each of its
     * words; and of jobs, gates and workers it has sixty at most.
     */
    List<String> wordsThatDiffer() {
        String glossary = text("docs/glossary.md");
        Stream<String> needed = Stream.of(
                        sources.found("JobState.java", STATE),
                        sources.found("RunState.java", STATE),
                        sources.found("LimitText.java", KEYWORD),
                        sources.found("PolicyOptions.java", KEYWORD))
                .flatMap(Set::stream);
        Stream<String> missing = needed.filter(word -> !has(glossary, word))
                .map(word -> "docs/glossary.md: does not say what '%s' means".formatted(word));
        List<String> words =
                WORD.matcher(glossary).results().map(word -> word.group(1)).toList();
        String others = pages.stream()
                .filter(page -> !page.name().equals("docs/glossary.md"))
                .flatMap(page -> page.lines().stream())
                .collect(Collectors.joining("\n"));
        Stream<String> unused = words.stream()
                .filter(word -> !has(others, word))
                .map(word -> "docs/glossary.md: no page uses '%s'".formatted(word));
        long ofTheCore = words.stream()
                .takeWhile(word -> glossary.indexOf("| **" + word + "**") < glossary.indexOf("\n## Workflows"))
                .count();
        Stream<String> tooMany = Stream.of(ofTheCore)
                .filter(count -> count > WORDS_MAX)
                .map(count ->
                        "docs/glossary.md: expected at most %d words of the core, got %d".formatted(WORDS_MAX, count));
        return Stream.of(missing, unused, tooMany).flatMap(each -> each).toList();
    }

    private static boolean has(String text, String word) {
        return Pattern.compile("\\b" + word + "(s|es|ed)?\\b", Pattern.CASE_INSENSITIVE)
                .matcher(text)
                .find();
    }

    private String text(String name) {
        return pages.stream()
                .filter(page -> page.name().equals(name))
                .flatMap(page -> page.lines().stream())
                .collect(Collectors.joining("\n"));
    }

    List<String> regionsThatNoPageShows() {
        Set<String> shown =
                blocks("java").map(block -> block.text().stripIndent().strip()).collect(Collectors.toSet());
        return sources.regions().entrySet().stream()
                .filter(region -> !shown.contains(region.getValue()))
                .map(region -> "%s: no page shows this region; take its marks out".formatted(region.getKey()))
                .toList();
    }

    List<String> commandsThatAreNotTaken(Predicate<List<String>> takes) {
        return mentions(page -> page.commands("./headgate"))
                .filter(command ->
                        !takes.test(Words.of(command.text()).stream().skip(1).toList()))
                .map(command -> command.fault("the headgate command does not take this"))
                .toList();
    }

    List<String> linksThatLeadNowhere() {
        return mentions(Page::links)
                .filter(link -> !link.text().contains("://") && !leadsSomewhere(link))
                .map(link -> link.fault("leads nowhere"))
                .toList();
    }

    private boolean leadsSomewhere(Found link) {
        String[] parts = link.text().split("#", 2);
        Path from = Path.of(link.page());
        Path folder = from.getParent() == null ? Path.of("") : from.getParent();
        String target = parts[0].isEmpty()
                ? link.page()
                : Sources.slashed(folder.resolve(parts[0]).normalize());
        if (!sources.exists(target)) {
            return false;
        }
        return parts.length == 1
                || pages.stream()
                        .filter(page -> page.name().equals(target))
                        .anyMatch(page -> page.anchors().contains(parts[1]));
    }

    List<String> testsThatDoNotExist() {
        return mentions(page -> page.found(TEST))
                .filter(test -> !sources.hasFile(test.text() + ".java"))
                .map(test -> test.fault("no such test"))
                .toList();
    }

    /** Names of packages and classes written out in full, also in blocks. */
    List<String> namesThatDoNotExist() {
        return mentions(page -> page.anywhere(NAME))
                .filter(name -> !sources.hasPackageOrClass(name.text()))
                .map(name -> name.fault("no such package or class"))
                .toList();
    }

    /**
     * A code span that looks like the name of a type is one, and has the member that is named with it. On pages for users of other
     * systems the first cell of a row is in the words of that system.
     */
    List<String> typesThatDoNotExist() {
        Set<String> known = sources.types();
        List<String> faults = new ArrayList<>();
        mentions(page -> isAboutAnother(page) ? page.withoutFirstCells().spans() : page.spans())
                .forEach(span -> {
                    Matcher name = TYPE.matcher(span.text());
                    if (!name.matches() || isOfTheJdk(name.group(1))) {
                        return;
                    }
                    if (!known.contains(name.group(1))) {
                        faults.add(span.fault("no such type"));
                    } else if (name.group(2) != null && !sources.says(name.group(1) + ".java", name.group(2))) {
                        faults.add(span.fault("%s has no %s".formatted(name.group(1), name.group(2))));
                    }
                });
        return faults;
    }

    private static boolean isAboutAnother(Page page) {
        return page.name().startsWith("docs/coming-from/");
    }

    private static boolean isOfTheJdk(String type) {
        return JDK.stream().anyMatch(prefix -> {
            try {
                Class.forName(prefix + type);
                return true;
            } catch (ClassNotFoundException elsewhere) {
                return false;
            }
        });
    }

    /** Every table, column and index of the migrations is on the page about them, and none that is not there. */
    List<String> schemaThatDiffers() {
        Set<String> stored = sources.tablesAndIndexes();
        Stream<String> invented = mentions(page -> page.found(TABLE))
                .filter(name -> !stored.contains(name.text()))
                .map(name -> name.fault("no migration makes this"));
        String page = text("docs/schema.md");
        Stream<String> missing = Stream.concat(stored.stream(), sources.columns().stream())
                .filter(name -> !page.contains("`" + name + "`"))
                .map(name -> "docs/schema.md: does not speak of `%s`".formatted(name));
        return Stream.concat(invented, missing).toList();
    }

    /** The rights that a page tells you to give a worker's role cover every table and sequence. */
    List<String> rightsThatAreMissing() {
        String granted = blocks("sql").map(Found::text).collect(Collectors.joining("\n"));
        return sources.tablesAndSequencesOfPostgres().stream()
                .filter(name ->
                        !Pattern.compile("\\b" + name + "\\b").matcher(granted).find())
                .map(name -> "docs: no page grants a worker's role rights on " + name)
                .toList();
    }

    /** The drawn edges are those that {@link JobState#mayBecome} allows. */
    List<String> edgesThatDiffer() {
        Set<String> drawn = new TreeSet<>();
        blocks("mermaid")
                .flatMap(block -> block.text().lines())
                .map(EDGE::matcher)
                .filter(matcher -> matcher.matches())
                .forEach(edge -> drawn.add(edge.group(1) + " --> " + edge.group(2)));
        Set<String> legal = new TreeSet<>();
        for (JobState from : JobState.values()) {
            for (JobState to : JobState.values()) {
                if (from.mayBecome(to)) {
                    legal.add(from + " --> " + to);
                }
            }
        }
        Stream<String> wrong =
                drawn.stream().filter(edge -> !legal.contains(edge)).map(edge -> edge + ": not legal");
        Stream<String> missing =
                legal.stream().filter(edge -> !drawn.contains(edge)).map(edge -> edge + ": not drawn");
        return Stream.concat(wrong, missing).toList();
    }

    /** Every failure mode has one row on the page about them, with a test, or the reason why it is none of ours. */
    List<String> failureModesWithoutAProof() {
        List<String> rows = text("docs/reliability.md")
                .lines()
                .filter(line -> line.startsWith("| **F"))
                .toList();
        List<String> faults = new ArrayList<>();
        for (int mode = 1; mode <= FAILURE_MODES; mode++) {
            String begin = "| **F%d** ".formatted(mode);
            List<String> own =
                    rows.stream().filter(row -> row.startsWith(begin)).toList();
            boolean isShown = own.size() == 1
                    && (PROOF.matcher(own.getFirst()).find() || own.getFirst().contains("does not concern us:"));
            if (!isShown) {
                faults.add("docs/reliability.md: F%d: expected one row with a test such as `LeaseTest.name`, got %s"
                        .formatted(mode, own.isEmpty() ? "no row" : own));
            }
        }
        return faults;
    }

    /** How many lines the longest Java on a page has. */
    int longestJavaOf(String page) {
        return blocks("java")
                .filter(block -> block.page().equals(page))
                .mapToInt(block -> (int) block.text().lines().count())
                .max()
                .orElse(0);
    }

    /** What a reader is told to add to a build is what this build makes. */
    List<String> dependenciesThatDoNotExist() {
        Set<String> modules = sources.artifacts();
        String version = sources.version();
        return blocks("xml")
                .flatMap(block -> {
                    Stream<String> unknown = ARTIFACT.matcher(block.text())
                            .results()
                            .map((MatchResult match) -> match.group(1))
                            .filter(artifact -> artifact.startsWith("headgate-") && !modules.contains(artifact))
                            .map(artifact -> block.fault("no module makes " + artifact));
                    boolean isOld = block.text().contains("dev.headgate")
                            && !block.text().contains("<version>" + version + "</version>");
                    return isOld ? Stream.concat(unknown, Stream.of(block.fault("is not " + version))) : unknown;
                })
                .toList();
    }

    /** Something found on a page. */
    private record Found(String page, int line, String text) {
        String fault(String what) {
            return "%s:%d: %s: %s"
                    .formatted(page, line, text.strip().lines().findFirst().orElse(""), what);
        }
    }

    private Stream<Found> mentions(Function<Page, List<Mention>> where) {
        return pages.stream()
                .flatMap(page -> where.apply(page).stream()
                        .map(mention -> new Found(page.name(), mention.line(), mention.text())));
    }

    private Stream<Found> blocks(String language) {
        return pages.stream()
                .flatMap(page -> page.blocks().stream()
                        .filter(block -> block.language().equals(language))
                        .map((Block block) -> new Found(page.name(), block.line(), block.text())));
    }
}
