package dev.headgate.cli.top;

import dev.headgate.cli.display.ProgressLine;
import dev.headgate.cli.display.Table;
import dev.headgate.cli.display.Wording;
import dev.headgate.cli.top.Section.Column;
import dev.headgate.cli.top.Section.Row;
import dev.headgate.internal.text.Text;
import dev.headgate.job.JobState;
import dev.headgate.status.Overview;
import dev.headgate.status.Overview.WorkerView;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Draws a view into lines for a window of any size. */
final class Picture {
    /** Header of two lines, and the line of the keys. */
    private static final int AROUND = 3;

    /** In a lower window only the chosen list is drawn. */
    private static final int ALL_LISTS_MIN = 18;

    private static final String KEYS =
            "q quit  tab list  ↑↓ row  s sort  r reverse  / filter  p pause  e explain  h help";

    static final List<String> HELP = List.of(
            "Keys",
            "",
            "  tab, shift-tab   go to the next list, or back",
            "  up, down         select a row; also j, k, page up, page down",
            "  s                sort the list by its next column",
            "  r                reverse its order",
            "  /                filter all lists by words in any cell; escape clears the filter",
            "  p                pause the selected queue or gate, or resume it; asks first",
            "  e, enter         explain the selected job, or one whose number you type",
            "  space            refresh now",
            "  q, Ctrl-C        leave",
            "",
            "The longest waits are looked for at the heads of a bounded number of lanes. A + means: at least.");

    private final int columns;
    private final int rows;

    Picture(int columns, int rows) {
        this.columns = columns;
        this.rows = rows;
    }

    /**
     * Draws it.
     *
     * @param reading absent until the first has come
     * @param took how long it took to read it
     */
    List<ProgressLine> of(View view, @Nullable Reading reading, Duration took, Duration every) {
        List<ProgressLine> lines = new ArrayList<>();
        header(lines, view, reading, took, every);
        if (view.mode() == View.Mode.PAGE) {
            view.page().stream().limit(rows - AROUND).forEach(line -> lines.add(new ProgressLine().add(line)));
        } else if (!view.sections().isEmpty()) {
            lists(lines, view);
        }
        if (lines.size() > rows - 1) {
            lines.subList(rows - 1, lines.size()).clear();
        }
        while (lines.size() < rows - 1) {
            lines.add(new ProgressLine());
        }
        lines.add(footer(view));
        return lines;
    }

    private void header(List<ProgressLine> lines, View view, @Nullable Reading reading, Duration took, Duration every) {
        if (reading == null) {
            lines.add(new ProgressLine().add("headgate top", ProgressLine.BOLD).add("  reading the store…"));
            lines.add(new ProgressLine());
            return;
        }
        Overview overview = reading.overview();
        lines.add(new ProgressLine()
                .add("headgate top", ProgressLine.BOLD)
                .add("  %s, every %s, read in %s  "
                        .formatted(
                                overview.at().truncatedTo(ChronoUnit.SECONDS), Wording.span(every), Wording.span(took)))
                .add(Text.visible(reading.store()), ProgressLine.DIM));
        long slots = overview.workers().stream().mapToLong(WorkerView::slots).sum();
        long busy = overview.workers().stream().mapToLong(WorkerView::busy).sum();
        ProgressLine totals = new ProgressLine()
                .add("%s queued, %s running, %s parked, %s failed; %s, %d of %d slots busy"
                        .formatted(
                                jobs(overview, JobState.QUEUED),
                                jobs(overview, JobState.RUNNING),
                                jobs(overview, JobState.PARKED),
                                jobs(overview, JobState.FAILED),
                                Wording.count(overview.workers().size(), "worker"),
                                busy,
                                slots));
        if (!reading.paused().isEmpty()) {
            totals.add("; %d paused".formatted(reading.paused().size()), ProgressLine.YELLOW);
        }
        if (!view.filter().isEmpty()) {
            totals.add("; filter: " + Text.visible(view.filter()), ProgressLine.YELLOW);
        }
        lines.add(totals);
    }

    private static String jobs(Overview overview, JobState state) {
        long sum = overview.jobs().stream()
                .filter(count -> count.state() == state)
                .mapToLong(count -> count.jobs())
                .sum();
        boolean isMore = overview.jobs().stream().anyMatch(count -> count.state() == state && count.isMore());
        return "%,d%s".formatted(sum, isMore ? "+" : "");
    }

    private ProgressLine footer(View view) {
        if (!view.question().isEmpty()) {
            return new ProgressLine().add(Text.visible(view.question()), ProgressLine.BOLD);
        }
        if (!view.message().isEmpty()) {
            return new ProgressLine().add(Text.visible(view.message()), ProgressLine.YELLOW);
        }
        return new ProgressLine()
                .add(view.mode() == View.Mode.PAGE ? "↑↓ leaf; any other key goes back" : KEYS, ProgressLine.DIM);
    }

    private void lists(List<ProgressLine> lines, View view) {
        List<Integer> drawn = rows < ALL_LISTS_MIN
                ? List.of(view.focus())
                : IntStream.range(0, view.sections().size()).boxed().toList();
        int room = rows - AROUND - 2 * drawn.size();
        List<Integer> wanted = drawn.stream()
                .map(section -> Math.max(1, view.rows(section).size()))
                .toList();
        List<Integer> shares = shares(wanted, Math.max(drawn.size(), room));
        for (int i = 0; i < drawn.size(); i++) {
            lines.add(new ProgressLine());
            list(lines, view, drawn.get(i), shares.get(i));
        }
    }

    /** Gives each list a line in turn, as long as it wants one and there is room. */
    static List<Integer> shares(List<Integer> wanted, int room) {
        int[] shares = new int[wanted.size()];
        int left = room;
        boolean isGiven = true;
        while (left > 0 && isGiven) {
            isGiven = false;
            for (int i = 0; i < shares.length && left > 0; i++) {
                if (shares[i] < wanted.get(i)) {
                    shares[i]++;
                    left--;
                    isGiven = true;
                }
            }
        }
        return IntStream.of(shares).boxed().toList();
    }

    /** The heading and as many rows as fit, the selected one among them. */
    private void list(List<ProgressLine> lines, View view, int number, int share) {
        Section section = view.sections().get(number);
        List<Row> all = view.rows(number);
        boolean isFocus = number == view.focus();
        if (all.isEmpty()) {
            lines.add(new ProgressLine()
                    .add(
                            "%sno %s%s"
                                    .formatted(
                                            isFocus ? "▸ " : "  ",
                                            section.about(),
                                            view.filter().isEmpty() ? "" : " match"),
                            ProgressLine.DIM));
            return;
        }
        int selected = view.selected(number);
        boolean isCut = all.size() > share && share > 1;
        int shown = isCut ? share - 1 : share;
        int first = isFocus ? Math.max(0, selected - shown + 1) : 0;
        List<Row> visible = all.subList(first, Math.min(all.size(), first + shown));
        List<String> texts = table(headings(view, number), visible).lines(columns - 3);
        lines.add(new ProgressLine().add("  " + texts.getFirst(), isFocus ? ProgressLine.CYAN : ProgressLine.DIM));
        for (int i = 0; i < visible.size() && i + 1 < texts.size(); i++) {
            boolean isSelected = isFocus && first + i == selected;
            int colour =
                    visible.get(i).alarm() ? ProgressLine.YELLOW : isSelected ? ProgressLine.BOLD : ProgressLine.PLAIN;
            lines.add(new ProgressLine().add((isSelected ? "▸ " : "  ") + texts.get(i + 1), colour));
        }
        if (isCut) {
            lines.add(new ProgressLine()
                    .add("  … %d of %d %s".formatted(visible.size(), all.size(), section.about()), ProgressLine.DIM));
        }
    }

    /** As many of its columns as the window is wide enough for. */
    private Table table(List<String> headings, List<Row> visible) {
        for (int count = headings.size(); ; count--) {
            int most = count;
            Table table = new Table(headings.subList(0, most).toArray(String[]::new));
            visible.forEach(row -> table.row(
                    row.cells().stream().limit(most).map(Section.Cell::text).toArray()));
            if (count == 1 || table.fits(columns - 3)) {
                return table;
            }
        }
    }

    private static List<String> headings(View view, int number) {
        List<Column> columns = view.sections().get(number).columns();
        return IntStream.range(0, columns.size())
                .mapToObj(i -> columns.get(i).heading()
                        + (i != view.column(number) ? "" : view.isReversed(number) ? "▴" : "▾"))
                .toList();
    }
}
