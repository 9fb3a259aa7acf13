package dev.headgate.examples;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * One Markdown page, read as far as its tests need: fenced blocks, and the rest with its links, headings and code spans.
 *
 * @param name the path from the root of the checkout, with slashes
 */
record Page(String name, List<String> lines) {
    private static final Pattern FENCE = Pattern.compile("\\s*```\\s*(\\w*).*");
    private static final Pattern SPAN = Pattern.compile("`([^`]+)`");
    private static final Pattern FIRST_CELL = Pattern.compile("^\\|[^|]*\\|");
    private static final Pattern LINK = Pattern.compile("\\[[^\\]]*]\\(([^)\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("#{1,6}\\s+(.*)");

    /** A fenced block: the language it names, the line it begins on, its lines. */
    record Block(String language, int line, List<String> lines) {
        String text() {
            return String.join("\n", lines);
        }
    }

    /** Something said on a line. */
    record Mention(int line, String text) {}

    List<Block> blocks() {
        List<Block> blocks = new ArrayList<>();
        List<String> inside = null;
        String language = "";
        int begin = 0;
        for (int i = 0; i < lines.size(); i++) {
            Matcher fence = FENCE.matcher(lines.get(i));
            if (!fence.matches()) {
                if (inside != null) {
                    inside.add(lines.get(i));
                }
            } else if (inside == null) {
                inside = new ArrayList<>();
                language = fence.group(1);
                begin = i + 1;
            } else {
                blocks.add(new Block(language, begin, List.copyOf(inside)));
                inside = null;
            }
        }
        return blocks;
    }

    /** Lines outside of fenced blocks. */
    private List<Mention> prose() {
        List<Mention> prose = new ArrayList<>();
        boolean isInside = false;
        for (int i = 0; i < lines.size(); i++) {
            if (FENCE.matcher(lines.get(i)).matches()) {
                isInside = !isInside;
            } else if (!isInside) {
                prose.add(new Mention(i + 1, lines.get(i)));
            }
        }
        return prose;
    }

    List<Mention> spans() {
        return found(SPAN);
    }

    /** The same page without the first cell of each row of its tables. */
    Page withoutFirstCells() {
        return new Page(
                name,
                lines.stream()
                        .map(line -> FIRST_CELL.matcher(line).replaceFirst("| |"))
                        .toList());
    }

    List<Mention> links() {
        return found(LINK);
    }

    /** What the pattern's first group finds outside of fenced blocks. */
    List<Mention> found(Pattern pattern) {
        List<Mention> mentions = new ArrayList<>();
        for (Mention line : prose()) {
            Matcher matcher = pattern.matcher(line.text());
            while (matcher.find()) {
                mentions.add(new Mention(line.line(), matcher.group(1)));
            }
        }
        return mentions;
    }

    /** What the pattern finds anywhere on the page. */
    List<Mention> anywhere(Pattern pattern) {
        List<Mention> mentions = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            int line = i + 1;
            pattern.matcher(lines.get(i)).results().forEach(match -> mentions.add(new Mention(line, match.group())));
        }
        return mentions;
    }

    /** Commands of this kind, in code spans and in blocks that are not Java, with or without a prompt. */
    List<Mention> commands(String program) {
        Stream<Mention> inBlocks = blocks().stream()
                .filter(block -> !block.language().equals("java"))
                .flatMap(block -> Stream.iterate(0, i -> i + 1)
                        .limit(block.lines().size())
                        .map(i ->
                                new Mention(block.line() + i + 1, block.lines().get(i))));
        return Stream.concat(inBlocks, spans().stream())
                .map(mention -> new Mention(mention.line(), withoutPrompt(mention.text())))
                .filter(mention ->
                        mention.text().equals(program) || mention.text().startsWith(program + " "))
                .toList();
    }

    private static String withoutPrompt(String line) {
        String stripped = line.strip();
        return stripped.startsWith("$ ") ? stripped.substring(2).strip() : stripped;
    }

    /** The anchors of its headings, as they are made for links. */
    List<String> anchors() {
        return prose().stream()
                .map(line -> HEADING.matcher(line.text()))
                .filter(Matcher::matches)
                .map(heading -> heading.group(1)
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N} _-]", "")
                        .strip()
                        .replace(' ', '-'))
                .toList();
    }
}
