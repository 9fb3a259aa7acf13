package dev.headgate.cli.top;

import dev.headgate.cli.top.Section.Row;
import dev.headgate.job.JobId;
import dev.headgate.limit.Pause;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the keys have chosen: a list, its order, a row, a filter, and the question that is open. Knows no terminal and no store. */
final class View {
    private static final int INPUT_MAX = 100;

    private final List<Integer> columns = new ArrayList<>(Sections.usualOrder());
    private final boolean[] reversed = new boolean[columns.size()];
    private final String[] selected = new String[columns.size()];
    private List<Section> sections = List.of();
    private List<Pause> paused = List.of();
    private int focus;
    private Mode mode = Mode.LISTS;
    private String filter;
    private String input = "";
    private String message = "";
    private List<String> page = List.of();
    private int pageTop;

    View(String filter) {
        this.filter = filter;
        Arrays.fill(selected, "");
    }

    /** What the keys are for just now. */
    enum Mode {
        LISTS,
        /** They write a filter. */
        FILTER,
        /** They write the number of a job. */
        JOB,
        /** They confirm a pause. */
        CONFIRM,
        /** They leaf through a text. */
        PAGE
    }

    /** What a key asks of the command. */
    sealed interface Wish {
        record Nothing() implements Wish {}

        record Quit() implements Wish {}

        record Refresh() implements Wish {}

        record Help() implements Wish {}

        record Explain(JobId job) implements Wish {}

        /** Pauses it, or resumes it if it is paused. */
        record Switch(Pause what, boolean isPaused) implements Wish {}
    }

    private static final Wish NOTHING = new Wish.Nothing();

    void show(Reading reading) {
        sections = Sections.of(reading);
        paused = reading.paused().stream().map(each -> each.what()).toList();
        message = "";
    }

    void say(String words) {
        message = words;
    }

    void open(List<String> text) {
        page = text;
        pageTop = 0;
        mode = Mode.PAGE;
    }

    Mode mode() {
        return mode;
    }

    List<Section> sections() {
        return sections;
    }

    int focus() {
        return focus;
    }

    int column(int section) {
        return columns.get(section);
    }

    boolean isReversed(int section) {
        return reversed[section];
    }

    String filter() {
        return filter;
    }

    String message() {
        return message;
    }

    List<String> page() {
        return page.subList(Math.min(pageTop, page.size()), page.size());
    }

    /** The question that is open, with what was typed so far. */
    String question() {
        return switch (mode) {
            case FILTER -> "filter: %s▏ (enter keeps it, escape clears it)".formatted(filter);
            case JOB -> "explain job: %s▏ (its number, then enter)".formatted(input);
            case CONFIRM -> {
                Row row = row();
                Pause what = row == null ? null : row.pause();
                yield what == null ? "" : "%s %s? (y or n)".formatted(isPaused(what) ? "resume" : "pause", what);
            }
            default -> "";
        };
    }

    List<Row> rows(int section) {
        return sections.get(section).shown(filter, columns.get(section), reversed[section]);
    }

    /** Which of the rows of a section is selected; the first, if the one that was is gone. */
    int selected(int section) {
        List<Row> rows = rows(section);
        for (int i = 0; i < rows.size(); i++) {
            if (rows.get(i).key().equals(selected[section])) {
                return i;
            }
        }
        return 0;
    }

    private @Nullable Row row() {
        if (sections.isEmpty()) {
            return null;
        }
        List<Row> rows = rows(focus);
        return rows.isEmpty() ? null : rows.get(selected(focus));
    }

    private boolean isPaused(Pause what) {
        return paused.contains(what);
    }

    Wish press(String key) {
        message = "";
        return switch (mode) {
            case LISTS -> inLists(key);
            case FILTER -> inFilter(key);
            case JOB -> inJob(key);
            case CONFIRM -> inConfirm(key);
            case PAGE -> inPage(key);
        };
    }

    private Wish inLists(String key) {
        switch (key) {
            case "q" -> {
                return new Wish.Quit();
            }
            case " " -> {
                return new Wish.Refresh();
            }
            case "h", "?" -> {
                return new Wish.Help();
            }
            case "e", Keys.ENTER -> {
                return explain();
            }
            case Keys.TAB -> focus = (focus + 1) % columns.size();
            case Keys.BACK_TAB -> focus = (focus + columns.size() - 1) % columns.size();
            case Keys.UP, "k" -> move(-1);
            case Keys.DOWN, "j" -> move(1);
            case Keys.PAGE_UP -> move(-10);
            case Keys.PAGE_DOWN -> move(10);
            case "s" -> {
                if (!sections.isEmpty()) {
                    columns.set(
                            focus,
                            (columns.get(focus) + 1)
                                    % sections.get(focus).columns().size());
                    reversed[focus] = false;
                }
            }
            case "r" -> reversed[focus] = !reversed[focus];
            case "/" -> mode = Mode.FILTER;
            case Keys.ESCAPE -> filter = "";
            case "p" -> {
                Row row = row();
                if (row == null || row.pause() == null) {
                    message = "p pauses a queue or a gate: select one with tab and the arrow keys";
                } else {
                    // The row that the question is about must still be selected after the next refresh.
                    selected[focus] = row.key();
                    mode = Mode.CONFIRM;
                }
            }
            default -> message = "no such key here; h shows the keys";
        }
        return NOTHING;
    }

    private void move(int by) {
        if (sections.isEmpty()) {
            return;
        }
        List<Row> rows = rows(focus);
        if (!rows.isEmpty()) {
            int next = Math.clamp((long) selected(focus) + by, 0, rows.size() - 1);
            selected[focus] = rows.get(next).key();
        }
    }

    private Wish explain() {
        Row row = row();
        JobId job = row == null ? null : row.job();
        if (job != null) {
            return new Wish.Explain(job);
        }
        mode = Mode.JOB;
        input = "";
        return NOTHING;
    }

    private Wish inFilter(String key) {
        switch (key) {
            case Keys.ENTER -> mode = Mode.LISTS;
            case Keys.ESCAPE -> {
                filter = "";
                mode = Mode.LISTS;
            }
            default -> filter = typed(filter, key);
        }
        return NOTHING;
    }

    private Wish inJob(String key) {
        switch (key) {
            case Keys.ENTER -> {
                mode = Mode.LISTS;
                if (!input.isEmpty()) {
                    try {
                        return new Wish.Explain(JobId.parse(input));
                    } catch (IllegalArgumentException unreadable) {
                        message = String.valueOf(unreadable.getMessage());
                    }
                }
            }
            case Keys.ESCAPE -> mode = Mode.LISTS;
            default -> input = typed(input, key);
        }
        return NOTHING;
    }

    private static String typed(String text, String key) {
        if (key.equals(Keys.BACKSPACE)) {
            return text.isEmpty() ? text : text.substring(0, text.offsetByCodePoints(text.length(), -1));
        }
        return key.codePointCount(0, key.length()) == 1 && text.length() < INPUT_MAX ? text + key : text;
    }

    private Wish inConfirm(String key) {
        mode = Mode.LISTS;
        Row row = row();
        Pause what = row == null ? null : row.pause();
        if (!key.equals("y") || row == null || what == null || !row.key().equals(selected[focus])) {
            message = "nothing was changed";
            return NOTHING;
        }
        return new Wish.Switch(what, isPaused(what));
    }

    private Wish inPage(String key) {
        switch (key) {
            case Keys.UP, "k" -> pageTop = Math.max(0, pageTop - 1);
            case Keys.DOWN, "j" -> pageTop = Math.clamp(page.size() - 1L, 0, pageTop + 1);
            case Keys.PAGE_UP -> pageTop = Math.max(0, pageTop - 10);
            case Keys.PAGE_DOWN -> pageTop = Math.clamp(page.size() - 1L, 0, pageTop + 10);
            default -> mode = Mode.LISTS;
        }
        return NOTHING;
    }
}
