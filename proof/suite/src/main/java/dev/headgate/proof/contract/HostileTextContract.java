package dev.headgate.proof.contract;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.headgate.job.JobFilter;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.JobStatus;
import dev.headgate.job.JobStatus.Progress;
import dev.headgate.job.LogLine;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.proof.StoreFixture;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Names and texts that would end a statement, match too much or lose something on the way: they are only text. */
public interface HostileTextContract extends StoreFixture {
    /** Pieces that mean something to SQL, to patterns, to JSON, to arrays as text, to a terminal. */
    List<String> PIECES = List.of(
            "'",
            "''",
            "\"",
            "`",
            "\\",
            "\\'",
            ";",
            "--",
            "/*",
            "*/",
            "$$",
            "$1",
            "?",
            "?1",
            ":queue",
            "::text",
            "{",
            "}",
            "{\"a\":[1]}",
            "[",
            "]",
            "(",
            ")",
            ",",
            "%",
            "_",
            "*",
            "%s",
            "null",
            "NULL",
            "true",
            "0",
            "-1",
            "1e9",
            " or 1=1",
            "; drop table headgate_job; ",
            "\u00a0",
            "\u2028",
            "\u200b",
            "\u202e",
            "\ufeff",
            "\ufffd",
            "ß",
            "İ",
            "é",
            "e\u0301",
            "日本",
            "🦊",
            "a",
            "B",
            " ",
            "queue:",
            "gate:",
            "=",
            "/",
            "|",
            "&",
            "#",
            "@",
            "~",
            "^",
            "+",
            "<",
            ">");

    private static List<String> names(long seed, int count) {
        Random random = new Random(seed);
        Set<String> names = new LinkedHashSet<>();
        while (names.size() < count) {
            StringBuilder name = new StringBuilder();
            int pieces = 1 + random.nextInt(6);
            for (int i = 0; i < pieces; i++) {
                name.append(PIECES.get(random.nextInt(PIECES.size())));
            }
            if (!name.toString().isBlank()) {
                names.add(name.toString());
            }
        }
        return List.copyOf(names);
    }

    @Test
    default void aNameIsOnlyTextWhereverItStands(Rig rig) {
        List<String> names = names(7, 150);
        List<JobId> jobs = new ArrayList<>();
        for (String name : names) {
            rig.policy("gate " + name, "concurrency 1");
            jobs.add(rig.enqueue(job(name).gate(name).type(name).dedup(name).payload("\"x\"")));
        }
        for (int i = 0; i < names.size(); i++) {
            String name = names.get(i);
            JobStatus status = rig.status(jobs.get(i));
            assertThat(List.of(
                            status.queue(),
                            status.type(),
                            status.gates().getFirst(),
                            "" + status.spec().dedup().key()))
                    .containsOnly(name);
            assertThat(rig.store().list(JobFilter.all().queue(name).type(name)))
                    .as("a filter matches itself and nothing else")
                    .extracting(JobStatus::id)
                    .containsExactly(jobs.get(i));
            ScriptedWorker worker = rig.register(name, name);
            assertThat(worker.claim(9)).containsExactly(jobs.get(i));
            assertThat(rig.leases("gate " + name)).isEqualTo(1);
            worker.finish(jobs.get(i), "\"x\"");
            assertThat(rig.count(name, JobState.SUCCEEDED)).isEqualTo(1);
        }
        assertThat(rig.store().list(JobFilter.all().limit(1000))).hasSize(names.size());
    }

    @Test
    default void whatHandlersSayIsOnlyTextToo(Rig rig) {
        ScriptedWorker worker = rig.worker("mail");
        for (String text : names(8, 60)) {
            JobId id = rig.enqueue(job("mail").attempts(1));
            worker.claim(1);
            String lines = text + "\n" + text + "\r\u001b[2J";
            assertThat(worker.report(id, new Progress(5, text), lines, text)).isTrue();
            assertThat(rig.status(id).report().progress()).isEqualTo(new Progress(5, text));
            worker.fail(id, lines);
            assertThat(rig.status(id).report().detail()).isEqualTo(lines);
            assertThat(rig.store().attempts(id).getFirst().error()).isEqualTo(lines);
            assertThat(rig.store().log(id)).extracting(LogLine::text).containsExactly(lines, text);
        }
    }

    @Test
    default void aNameThatNoStoreKeepsFaithfullyIsRefusedByAll(Rig rig) {
        for (String name : List.of("", " ", "a\u0000b", "a\nb", "a\u001bb", "a\u0085b", "\ud800", "x".repeat(201))) {
            assertThatIllegalArgumentException().isThrownBy(() -> rig.enqueue(job(name)));
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> rig.enqueue(job("mail").gate(name)));
        }
        assertThat(rig.store().list(JobFilter.all())).isEmpty();
    }
}
