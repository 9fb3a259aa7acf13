package dev.headgate.server.api;

import dev.headgate.internal.json.JsonWriter;
import dev.headgate.limit.BacklogFullException;
import dev.headgate.server.api.JobReader.ReadJob;
import dev.headgate.server.api.JobReader.ReadLine;
import dev.headgate.server.http.LineReader;
import dev.headgate.server.http.Problem;
import dev.headgate.server.http.ProblemException;
import dev.headgate.server.http.Response;
import dev.headgate.server.http.Response.Streamed;
import dev.headgate.server.once.OnceEnqueue;
import dev.headgate.server.once.OnceEnqueue.Answer;
import dev.headgate.server.once.OnceEnqueue.Asked;
import dev.headgate.server.once.OnceEnqueue.KeyReusedException;
import dev.headgate.server.once.RequestKey;
import dev.headgate.server.route.Call;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Enqueues a body of one job a line, in batches of one commit each, and answers each line with one of its own as soon as its batch is
 * stored. The first line that is wrong ends it: the lines before it are stored, it and those behind it are not.
 */
final class JobLines {
    private static final int BATCH = 1_000;
    private static final int LINE_MAX = 512 * 1024;

    private final Call call;

    JobLines(Call call) {
        this.call = call;
    }

    Response response() {
        return new Response(200, Map.of(), new Streamed(Response.JSON_LINES, this::write));
    }

    private record Line(long number, ReadJob job, @Nullable RequestKey key) {}

    /** A line that was not stored, and why. */
    private static final class WrongLine extends RuntimeException {
        private static final long serialVersionUID = 1;

        private final long number;
        private final transient ProblemException problem;

        WrongLine(long number, ProblemException problem) {
            super(problem.detail(), null, false, false);
            this.number = number;
            this.problem = problem;
        }
    }

    private static WrongLine wrong(Line line, String fault) {
        return new WrongLine(line.number(), new ProblemException(Problem.BAD_FIELD, fault));
    }

    private void write(OutputStream out) throws IOException {
        LineReader lines = new LineReader(call.request().body(), LINE_MAX);
        List<Line> batch = new ArrayList<>(BATCH);
        try {
            ProblemException fault = read(lines, batch, out);
            store(batch, out);
            if (fault != null) {
                println(out, Problems.ofLine(fault, lines.number()));
            }
        } catch (WrongLine wrong) {
            println(out, Problems.ofLine(wrong.problem, wrong.number));
        } catch (BacklogFullException full) {
            ProblemException problem = new ProblemException(Problem.BACKLOG_FULL, String.valueOf(full.getMessage()));
            println(out, Problems.ofLine(problem, batch.getFirst().number()));
        }
    }

    /** Reads and stores all full batches. Returns what is wrong with the line at which it stopped, if it did. */
    private @Nullable ProblemException read(LineReader lines, List<Line> batch, OutputStream out) throws IOException {
        try {
            for (String text = lines.next(); text != null; text = lines.next()) {
                if (!text.isBlank()) {
                    ReadLine line = JobReader.readLine(text);
                    JobRoutes.checkScope(call.bearer(), line.job());
                    batch.add(new Line(lines.number(), line.job(), key(line, text)));
                }
                if (batch.size() == BATCH) {
                    store(batch, out);
                }
            }
            return null;
        } catch (ProblemException wrong) {
            return wrong;
        }
    }

    private @Nullable RequestKey key(ReadLine line, String text) {
        return line.key() == null
                ? null
                : RequestKey.of(call.bearer().id(), line.key(), "POST /v1/jobs/lines\n" + text);
    }

    private void store(List<Line> batch, OutputStream out) throws IOException {
        if (batch.isEmpty()) {
            return;
        }
        List<Answer> all;
        try {
            all = OnceEnqueue.run(
                    call.headgate(),
                    batch.stream()
                            .map(line -> new Asked(line.job().job(), line.key()))
                            .toList());
        } catch (KeyReusedException reused) {
            Line first = batch.get(reused.place());
            store(batch.subList(0, reused.place()), out);
            throw new WrongLine(first.number(), reused.problem());
        } catch (IllegalArgumentException wrong) {
            int good = good(batch);
            if (good < batch.size()) {
                Line first = batch.get(good);
                store(batch.subList(0, good), out);
                throw wrong(first, fault(first));
            }
            throw wrong(batch.getFirst(), String.valueOf(wrong.getMessage()));
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < all.size(); i++) {
            text.append("{\"line\":")
                    .append(batch.get(i).number())
                    .append(',')
                    .append(all.get(i).body(), 1, all.get(i).body().length())
                    .append('\n');
        }
        batch.clear();
        out.write(text.toString().getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    /** How many lines there are before the first one that this store would not take. */
    private int good(List<Line> batch) {
        int good = 0;
        while (good < batch.size() && fault(batch.get(good)).isEmpty()) {
            good++;
        }
        return good;
    }

    private String fault(Line line) {
        try {
            line.job().job().check(call.headgate().policies());
            return "";
        } catch (IllegalArgumentException wrong) {
            return String.valueOf(wrong.getMessage());
        }
    }

    private static void println(OutputStream out, JsonWriter document) throws IOException {
        out.write((document + "\n").getBytes(StandardCharsets.UTF_8));
    }
}
