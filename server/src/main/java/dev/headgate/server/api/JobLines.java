package dev.headgate.server.api;

import dev.headgate.Enqueued;
import dev.headgate.internal.json.JsonWriter;
import dev.headgate.limit.BacklogFullException;
import dev.headgate.server.api.JobReader.ReadJob;
import dev.headgate.server.http.LineReader;
import dev.headgate.server.http.Problem;
import dev.headgate.server.http.ProblemException;
import dev.headgate.server.http.Response;
import dev.headgate.server.http.Response.Streamed;
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

    private record Line(long number, ReadJob job) {}

    /** A line that was not stored, and why. */
    private static final class WrongLine extends RuntimeException {
        private static final long serialVersionUID = 1;

        private final long number;

        WrongLine(long number, String fault) {
            super(fault, null, false, false);
            this.number = number;
        }
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
            ProblemException problem = new ProblemException(Problem.BAD_FIELD, String.valueOf(wrong.getMessage()));
            println(out, Problems.ofLine(problem, wrong.number));
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
                    ReadJob job = JobReader.read(text);
                    JobRoutes.checkScope(call.bearer(), job);
                    batch.add(new Line(lines.number(), job));
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

    private void store(List<Line> batch, OutputStream out) throws IOException {
        if (batch.isEmpty()) {
            return;
        }
        List<Enqueued> all;
        try {
            all = call.headgate()
                    .enqueueAllJson(batch.stream().map(line -> line.job().job()).toList());
        } catch (IllegalArgumentException wrong) {
            int good = good(batch);
            if (good < batch.size()) {
                Line first = batch.get(good);
                store(batch.subList(0, good), out);
                throw new WrongLine(first.number(), fault(first));
            }
            throw new WrongLine(batch.getFirst().number(), String.valueOf(wrong.getMessage()));
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < all.size(); i++) {
            text.append("{\"line\":")
                    .append(batch.get(i).number())
                    .append(",\"id\":")
                    .append(all.get(i).id().value())
                    .append(",\"new\":")
                    .append(all.get(i).isNew())
                    .append("}\n");
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
