package dev.headgate.server.api;

import dev.headgate.Schedules;
import dev.headgate.UnknownScheduleException;
import dev.headgate.internal.json.JsonWriter;
import dev.headgate.internal.text.Names;
import dev.headgate.internal.text.NearestName;
import dev.headgate.schedule.Schedule;
import dev.headgate.schedule.Schedule.PutResult;
import dev.headgate.schedule.ScheduleStatus;
import dev.headgate.schedule.ScheduledRun;
import dev.headgate.server.api.JobReader.ReadJob;
import dev.headgate.server.http.JsonDocument;
import dev.headgate.server.http.Problem;
import dev.headgate.server.http.ProblemException;
import dev.headgate.server.http.Response;
import dev.headgate.server.route.Call;
import dev.headgate.server.route.Route;
import dev.headgate.server.token.Right;
import dev.headgate.server.token.Token;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;

/** Schedules: list them, look at one, put, edit and remove it, pause, resume and fire it. */
public final class ScheduleRoutes {
    private static final String ONE = "/v1/schedules/{schedule}";
    private static final int RUNS_DEFAULT = 10;
    private static final int NEXT_DEFAULT = 5;

    private ScheduleRoutes() {}

    /** All routes of schedules. */
    public static List<Route> all() {
        return List.of(
                Route.jobs("listSchedules", "GET", "/v1/schedules", Right.READ, ScheduleRoutes::list)
                        .taking("limit", "cursor"),
                Route.jobs("planTiming", "POST", "/v1/schedules/next", Right.READ, ScheduleRoutes::plan),
                Route.jobs("getSchedule", "GET", ONE, Right.READ, ScheduleRoutes::get)
                        .taking("runs"),
                Route.jobs("putSchedule", "PUT", ONE, Right.OPERATE, ScheduleRoutes::put),
                Route.jobs("editSchedule", "PATCH", ONE, Right.OPERATE, ScheduleRoutes::edit),
                Route.jobs("deleteSchedule", "DELETE", ONE, Right.OPERATE, turn("removed", Schedules::remove)),
                Route.jobs("listNextRuns", "GET", ONE + "/next", Right.READ, ScheduleRoutes::next)
                        .taking("count"),
                Route.jobs("pauseSchedule", "POST", ONE + "/pause", Right.OPERATE, turn("paused", Schedules::pause)),
                Route.jobs(
                        "resumeSchedule", "POST", ONE + "/resume", Right.OPERATE, turn("resumed", Schedules::resume)),
                Route.jobs("fireSchedule", "POST", ONE + "/fire", Right.OPERATE, ScheduleRoutes::fire));
    }

    private static Set<String> fields(String... more) {
        Set<String> fields = new HashSet<>(TimingReader.FIELDS);
        fields.addAll(List.of(more));
        return fields;
    }

    private static boolean isSeen(Token token, ScheduleStatus schedule) {
        return token.covers(
                schedule.terms().job().lane().queue(), schedule.terms().job().type());
    }

    /** The schedule in the path. One whose jobs the token does not cover is as if it did not exist. */
    private static ScheduleStatus found(Call call) {
        String name = call.name("schedule");
        Schedules schedules = call.headgate().schedules();
        return schedules
                .find(name)
                .filter(schedule -> isSeen(call.bearer(), schedule))
                .orElseThrow(() -> unknown(call, name));
    }

    private static ProblemException unknown(Call call, String name) {
        List<String> seen = call.headgate().schedules().list().stream()
                .filter(schedule -> isSeen(call.bearer(), schedule))
                .map(ScheduleStatus::name)
                .toList();
        return new ProblemException(
                Problem.NOT_FOUND,
                "schedule '%s': no such schedule, or one that the token may not see%s"
                        .formatted(name, NearestName.hint(name, seen)));
    }

    private static Response list(Call call) {
        List<ScheduleStatus> seen = call.headgate().schedules().list().stream()
                .filter(schedule -> isSeen(call.bearer(), schedule))
                .toList();
        Page<ScheduleStatus> page = Page.of(call, "schedules", seen, ScheduleStatus::name);
        return Response.json(
                200,
                JsonWriter.object()
                        .put(
                                "schedules",
                                page.items().stream().map(ScheduleJson::listed).toList())
                        .put("next", page.next()));
    }

    /** With the payload, if the token may see it. */
    private static JsonWriter shown(Call call, ScheduleStatus schedule) {
        JsonWriter json = ScheduleJson.listed(schedule);
        return call.bearer().has(Right.PAYLOADS)
                ? json.putRaw("payload", schedule.terms().job().payload())
                : json;
    }

    private static Response get(Call call) {
        ScheduleStatus schedule = found(call);
        List<ScheduledRun> runs = call.headgate()
                .schedules()
                .runs(schedule.name(), call.query().number("runs", 0, Schedules.SHOWN_MAX, RUNS_DEFAULT));
        return Response.json(
                200,
                shown(call, schedule)
                        .put("runs", runs.stream().map(ScheduleJson::run).toList()));
    }

    private static Response put(Call call) {
        String name = call.name("schedule");
        JsonDocument body = call.body(fields("job"));
        JsonDocument.read("schedule", () -> Names.check("schedule", name));
        Schedule schedule = new TimingReader(body).schedule();
        if (!body.has("job")) {
            throw new ProblemException(Problem.BAD_FIELD, "field 'job': expected a value, got none");
        }
        ReadJob job = JobReader.read(body.raw("job", "{}"));
        JobRoutes.checkScope(call.bearer(), job);
        requireSeen(call, name);
        PutResult put = Problems.refusing(() -> call.headgate().schedules().putJson(name, schedule, job.job()));
        return answer(call, name, put);
    }

    /** A name that is taken by a schedule of others cannot be had. */
    private static void requireSeen(Call call, String name) {
        boolean isTaken = call.headgate()
                .schedules()
                .find(name)
                .filter(schedule -> !isSeen(call.bearer(), schedule))
                .isPresent();
        if (isTaken) {
            throw new ProblemException(
                    Problem.OUTSIDE_SCOPE, "schedule '%s': expected a name that the token may use".formatted(name));
        }
    }

    private static Response edit(Call call) {
        ScheduleStatus before = found(call);
        JsonDocument body = call.body(fields("job"));
        Token token = call.bearer();
        JsonDocument job = JsonDocument.parse(body.raw("job", "{}"), JobReader.EDITED);
        String type = before.terms().job().type();
        if (!token.admitsType(type) || (job.has("queue") && !token.coversQueue(job.text("queue")))) {
            throw new ProblemException(
                    Problem.OUTSIDE_SCOPE,
                    "schedule '%s': expected a token for jobs of type '%s' and their queue"
                            .formatted(before.name(), type));
        }
        TimingReader timing = new TimingReader(body);
        PutResult put = Problems.refusing(() -> call.headgate().schedules().edit(before.name(), edit -> {
            edit.schedule(timing::changed);
            edit.job(options -> JobReader.apply(job, options));
            if (job.has("payload")) {
                edit.payloadJson(job.raw("payload", "{}"));
            }
        }));
        return answer(call, before.name(), put);
    }

    private static Response answer(Call call, String name, PutResult put) {
        ScheduleStatus schedule = call.headgate().schedules().find(name).orElseThrow(() -> unknown(call, name));
        return Response.json(
                put == PutResult.CREATED ? 201 : 200, shown(call, schedule).put("answer", put));
    }

    private static Route.Action turn(String done, BiConsumer<Schedules, String> change) {
        return call -> {
            call.bodyOrNone(Set.of());
            String name = found(call).name();
            try {
                change.accept(call.headgate().schedules(), name);
            } catch (UnknownScheduleException gone) {
                throw unknown(call, name);
            }
            return Response.json(200, JsonWriter.object().put("name", name).put("answer", done));
        };
    }

    private static Response fire(Call call) {
        call.bodyOrNone(Set.of());
        String name = found(call).name();
        ScheduledRun run = Problems.refusing(() -> call.headgate().schedules().fireNow(name))
                .orElseThrow(() -> new ProblemException(
                        Problem.WRONG_STATE,
                        "schedule '%s': an earlier run has not ended, and the schedule starts none beside it"
                                .formatted(name)));
        return Response.json(201, ScheduleJson.run(run)).with("Location", "v1/jobs/" + run.job());
    }

    private static Response next(Call call) {
        ScheduleStatus schedule = found(call);
        int count = call.query().number("count", 1, Schedules.SHOWN_MAX, NEXT_DEFAULT);
        List<Instant> runs = call.headgate().schedules().nextRuns(schedule.name(), count);
        return Response.json(
                200,
                JsonWriter.object()
                        .put("name", schedule.name())
                        .put("timing", schedule.terms().timing())
                        .put("runs", runs));
    }

    /** The instants of a timing before it is stored. */
    private static Response plan(Call call) {
        JsonDocument body = call.body(fields("count"));
        Long asked = body.numberOrNull("count");
        long count = asked == null ? NEXT_DEFAULT : asked;
        if (count < 1 || count > Schedules.SHOWN_MAX) {
            throw new ProblemException(
                    Problem.BAD_FIELD, "field 'count': expected 1 to %d, got %d".formatted(Schedules.SHOWN_MAX, count));
        }
        Schedule schedule = new TimingReader(body).schedule();
        List<Instant> runs = schedule.next(call.now(), (int) count);
        if (runs.isEmpty()) {
            throw new ProblemException(
                    Problem.BAD_FIELD,
                    "'%s' never comes".formatted(schedule.timing().text()));
        }
        return Response.json(
                200,
                JsonWriter.object()
                        .put("name", null)
                        .put("timing", schedule.timing().text())
                        .put("runs", runs));
    }
}
