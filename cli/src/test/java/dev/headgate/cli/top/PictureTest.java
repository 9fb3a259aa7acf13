package dev.headgate.cli.top;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.Headgate;
import dev.headgate.cli.display.Columns;
import dev.headgate.job.JobId;
import dev.headgate.limit.Limit;
import dev.headgate.limit.Pause;
import dev.headgate.testkit.TestHeadgate;
import dev.headgate.testkit.junit.HeadgateExtension;
import java.io.StringReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a window of some size shows of a store, and what the keys do to it. */
@ExtendWith(HeadgateExtension.class)
class PictureTest {
    private final View view = new View("");
    private Reading reading;

    @BeforeEach
    void fill(TestHeadgate test) {
        Headgate headgate = test.headgate();
        headgate.policies().gate("tenant:*", gate -> gate.limit(Limit.concurrency(1)));
        for (int i = 0; i < 20; i++) {
            String queue = "queue-%02d".formatted(i);
            for (int job = 0; job <= i % 7; job++) {
                headgate.enqueueJson(
                        "noop", "{}", options -> options.queue(queue).gate("tenant:" + queue));
            }
        }
        reading = Reading.of(headgate);
        view.show(reading);
    }

    private List<String> drawn(int columns, int rows) {
        return new Picture(columns, rows)
                .of(view, reading, Duration.ofMillis(3), Duration.ofSeconds(2)).stream()
                        .map(line -> line.text(false, columns - 1))
                        .toList();
    }

    private View.Wish press(String... keys) {
        View.Wish last = new View.Wish.Nothing();
        for (String key : keys) {
            last = view.press(key);
        }
        return last;
    }

    private List<String> names() {
        return view.rows(0).stream().map(Section.Row::key).toList();
    }

    @ParameterizedTest
    @CsvSource({"100,30", "80,24", "200,60", "60,20", "40,10", "40,5"})
    void everyWindowIsFilledExactlyAndNoLineIsWider(int columns, int rows) {
        assertThat(drawn(columns, rows)).hasSize(rows).allMatch(line -> Columns.of(line) < columns);
        assertThat(drawn(columns, rows)).anyMatch(line -> line.startsWith("▸ queue-06") || rows == 5);
        press("/", "no such thing");
        assertThat(drawn(columns, rows)).hasSize(rows);
    }

    @Test
    void theListsShareTheRoomAndSayWhatTheyLeaveOut() {
        assertThat(Picture.shares(List.of(20, 1, 1, 20), 13)).containsExactly(6, 1, 1, 5);
        assertThat(Picture.shares(List.of(2, 1), 100)).containsExactly(2, 1);
        assertThat(drawn(100, 30)).anyMatch(line -> line.matches("  … \\d+ of 20 queues"));
    }

    @Test
    void theSelectedRowIsAlwaysInSightAndStaysTheSame() {
        press("s", "r", "r", "s", "s", "s", "s", "s", "s", "s", "s", "s");
        press(Keys.PAGE_DOWN, Keys.DOWN, Keys.DOWN);
        String chosen = names().get(12);
        assertThat(drawn(100, 30)).anyMatch(line -> line.startsWith("▸ " + chosen));
        press("r");
        assertThat(drawn(100, 30)).anyMatch(line -> line.startsWith("▸ " + chosen));
        view.show(reading);
        assertThat(view.rows(0).get(view.selected(0)).key()).isEqualTo(chosen);
    }

    @Test
    void figuresAreSortedAsFiguresAndNamesAsNames() {
        assertThat(view.rows(0).getFirst().key()).isEqualTo("queue-06");
        assertThat(view.rows(0).getLast().key()).isEqualTo("queue-14");
        press("r");
        assertThat(view.rows(0).getFirst().key()).isEqualTo("queue-00");
        for (int i = 0; i < 9; i++) {
            press("s");
        }
        assertThat(view.column(0)).as("round to the first").isZero();
        assertThat(names()).isSorted();
        press("/", "1", "3", Keys.ENTER);
        assertThat(names()).containsExactly("queue-13");
        press(Keys.ESCAPE);
        assertThat(names()).hasSize(20);
    }

    @Test
    void aPauseIsAskedForAndOnlyYesIsOne() {
        assertThat(press("p", Keys.ENTER)).isEqualTo(new View.Wish.Nothing());
        assertThat(view.message()).isEqualTo("nothing was changed");
        assertThat(press("p", "y")).isEqualTo(new View.Wish.Switch(Pause.queue("queue-06"), false));
        press(Keys.BACK_TAB);
        assertThat(press("p")).isEqualTo(new View.Wish.Nothing());
        assertThat(view.message()).contains("select one");
        assertThat(press("e")).isInstanceOf(View.Wish.Explain.class);
    }

    @Test
    void aJobIsExplainedByItsNumber() {
        assertThat(press("e", "1", "x", Keys.BACKSPACE, "2", Keys.ENTER))
                .isEqualTo(new View.Wish.Explain(JobId.of(12)));
        assertThat(press("e", "x", Keys.ENTER)).isEqualTo(new View.Wish.Nothing());
        assertThat(view.message()).contains("'x'");
        assertThat(press("q")).isEqualTo(new View.Wish.Quit());
    }

    @Test
    void keysOfSeveralLettersAreOneKey() throws Exception {
        Keys keys = new Keys(new StringReader("a\u001b[A\u001b[6~\u001bOB\t\u001b[Z\u007f\r\u001b[15~ä"));
        List<String> pressed = new ArrayList<>();
        for (String key = keys.next(); key != null; key = keys.next()) {
            pressed.add(key);
        }
        assertThat(pressed)
                .containsExactly(
                        "a",
                        Keys.UP,
                        Keys.PAGE_DOWN,
                        Keys.DOWN,
                        Keys.TAB,
                        Keys.BACK_TAB,
                        Keys.BACKSPACE,
                        Keys.ENTER,
                        Keys.OTHER,
                        "ä");
    }
}
