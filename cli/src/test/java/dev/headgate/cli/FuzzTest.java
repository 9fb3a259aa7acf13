package dev.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Absurd texts, for everything that reads text. What once broke a reader is kept in {@code src/test/resources/fuzz},
 * one file for each, and is read again here before anything new is tried. {@code ./check fuzz} runs it for longer and
 * with other seeds.
 */
@Timeout(value = 10, unit = TimeUnit.HOURS) // as long as is asked for; a single text has its own bound
class FuzzTest {
    private static final long SEED = Long.getLong("fuzz.seed", 20_260_101L);
    private static final Duration TIME = Duration.ofSeconds(Long.getLong("fuzz.seconds", 0));
    private static final int TEXTS = Integer.getInteger("fuzz.texts", 4_000);

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /** A reader that computes for longer has found something that grows too fast; how busy the machine is does not count. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    @ParameterizedTest
    @EnumSource
    void whatOnceBrokeAReaderNoLongerDoes(FuzzTarget target) throws Exception {
        for (String text : kept(target)) {
            judge(target, text);
        }
        for (String seed : target.seeds()) {
            judge(target, seed);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aReaderAnswersOrRefusesWithAReason(FuzzTarget target) throws Exception {
        Mutation mutation = new Mutation(new Random(SEED + target.name().hashCode()));
        List<String> corpus = new ArrayList<>(target.seeds());
        corpus.addAll(kept(target));
        // The whole path of a command costs more than the others.
        int texts = target == FuzzTarget.JOB_LINES ? TEXTS / 4 : TEXTS;
        long end = System.nanoTime() + TIME.toNanos();
        for (int i = 0; i < texts || System.nanoTime() - end < 0; i++) {
            judge(target, mutation.of(corpus));
        }
    }

    /** A target that accepts everything, or a judge that excuses everything, must be noticed. */
    @Test
    void aBrokenReaderIsFound() {
        assertThatThrownBy(() -> FuzzTarget.judge(Integer::parseInt, "x"))
                .as("a reason that does not say what was expected")
                .isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> FuzzTarget.judge(
                        text -> {
                            throw new StringIndexOutOfBoundsException(9);
                        },
                        "x"))
                .as("an exception that is no refusal")
                .isInstanceOf(StringIndexOutOfBoundsException.class);
        assertThatThrownBy(() -> FuzzTarget.judge(
                        text -> {
                            throw new IllegalArgumentException();
                        },
                        "x"))
                .as("no reason at all")
                .isInstanceOf(AssertionError.class);
    }

    private static void judge(FuzzTarget target, String text) {
        long began = THREADS.getCurrentThreadCpuTime();
        try {
            target.judge(text);
        } catch (Throwable broken) {
            throw new AssertionError(
                    "%s broke on %s; keep it in cli/src/test/resources/fuzz/%s once it is mended"
                            .formatted(target, escaped(text), target.name().toLowerCase(java.util.Locale.ROOT)),
                    broken);
        }
        assertThat(Duration.ofNanos(THREADS.getCurrentThreadCpuTime() - began))
                .as("%s on %s", target, escaped(text))
                .isLessThan(PATIENCE);
    }

    private static String escaped(String text) {
        StringBuilder shown = new StringBuilder("\"");
        text.chars().forEach(c -> shown.append(c >= ' ' && c <= '~' ? "" + (char) c : "\\u%04x".formatted(c)));
        return shown.append('"').toString();
    }

    private static List<String> kept(FuzzTarget target) throws IOException {
        Path folder = Path.of("src/test/resources/fuzz", target.name().toLowerCase(java.util.Locale.ROOT));
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        List<String> texts = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.sorted().toList()) {
                texts.add(new String(Files.readAllBytes(file), StandardCharsets.UTF_8));
            }
        }
        return texts;
    }
}
