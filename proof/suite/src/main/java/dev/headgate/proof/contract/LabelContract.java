package dev.headgate.proof.contract;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headgate.Headgate;
import dev.headgate.handler.JobContext;
import dev.headgate.job.Attributes;
import dev.headgate.job.JobFilter;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.JobStatus;
import dev.headgate.job.JobType;
import dev.headgate.job.Unmet;
import dev.headgate.proof.Jobs;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.proof.StoreFixture;
import dev.headgate.proof.WorkflowRig;
import dev.headgate.run.RunFilter;
import dev.headgate.run.RunId;
import dev.headgate.run.RunPage;
import dev.headgate.run.RunStatus;
import dev.headgate.schedule.Schedule;
import dev.headgate.spi.FrameTable.RunKind;
import dev.headgate.spi.JobIds;
import dev.headgate.testkit.stepped.SteppedHeadgate;
import dev.headgate.workflow.Workflow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Labels and headers stay with a job and a run wherever these go, are handed on, and are found. */
public interface LabelContract extends StoreFixture {
    /** A payload. */
    record Note(String text) {}

    JobType<Note> SEND = JobType.of("send", Note.class).label("team", "mail").label("kind", Note::text);

    private static Jobs.Draft labelled() {
        return job("mail").label("team", "mail").label("tenant", "o'neil \"é\\").header("traceparent", "00-ab-cd-01");
    }

    private static void assertLabelled(Rig rig, JobId id) {
        JobStatus status = rig.status(id);
        assertThat(status.labels())
                .as("labels of a job that is %s", status.state())
                .containsExactlyEntriesOf(new TreeMap<>(Map.of("team", "mail", "tenant", "o'neil \"é\\")));
        assertThat(status.headers())
                .as("headers of a job that is %s", status.state())
                .containsExactlyEntriesOf(new TreeMap<>(Map.of("traceparent", "00-ab-cd-01")));
    }

    private static List<JobId> found(Rig rig, JobFilter filter) {
        return rig.store().list(filter).stream().map(JobStatus::id).toList();
    }

    @Test
    default void theyStayWithAJobWhateverBecomesOfIt(Rig rig) {
        ScriptedWorker worker = rig.worker("mail");
        JobId id = rig.enqueue(labelled().attempts(3));
        assertLabelled(rig, id);
        worker.claim(1);
        assertThat(worker.lease(id).spec().attributes().headers()).containsEntry("traceparent", "00-ab-cd-01");
        assertLabelled(rig, id);
        worker.retryAfter(id, Duration.ofSeconds(1));
        assertLabelled(rig, id);
        rig.advance(Duration.ofSeconds(1));
        worker.claim(1);
        worker.retryNow(id);
        assertThat(worker.lease(id).spec().attributes().labels()).containsEntry("team", "mail");
        worker.handBack(id);
        worker.claim(1);
        worker.fail(id, "broken");
        assertThat(rig.state(id)).isEqualTo(JobState.FAILED);
        assertLabelled(rig, id);
        assertThat(rig.store().redrive(JobFilter.all().state(JobState.FAILED).label("team", "other")))
                .isZero();
        assertThat(rig.store().redrive(JobFilter.all().state(JobState.FAILED).label("team", "mail")))
                .isEqualTo(1);
        assertLabelled(rig, id);
        rig.lose(worker);
        ScriptedWorker other = rig.worker("mail");
        other.claim(1);
        other.finish(id, "{}");
        assertThat(rig.state(id)).isEqualTo(JobState.SUCCEEDED);
        assertLabelled(rig, id);
    }

    @Test
    default void theyStayWithAJobThatEndsWithoutHavingRun(Rig rig) {
        JobId cancelled = rig.enqueue(labelled());
        rig.store().cancel(cancelled);
        assertLabelled(rig, cancelled);
        JobId expired = rig.enqueue(labelled().deadline(rig.time().now().plusSeconds(1)));
        JobId first = rig.enqueue(job("mail").attempts(1));
        JobId behind = rig.enqueue(labelled().after(Unmet.FAIL, first));
        rig.advance(Duration.ofSeconds(2));
        ScriptedWorker worker = rig.worker("mail");
        worker.claim(5);
        worker.fail(first, "broken");
        worker.claim(5);
        assertThat(rig.state(expired)).isEqualTo(JobState.FAILED);
        assertLabelled(rig, expired);
        assertThat(rig.state(behind)).isEqualTo(JobState.FAILED);
        assertLabelled(rig, behind);
        rig.policy("queue capped", "backlog 1 drop-oldest");
        JobId dropped = rig.enqueue(job("capped").label("team", "mail"));
        rig.enqueue(job("capped"));
        assertThat(rig.status(dropped).labels()).containsOnlyKeys("team");
        assertThat(rig.status(dropped).state().isTerminal()).isTrue();
    }

    @Test
    default void theyComeInWithManyJobsAndWithDedupKeys(Rig rig) {
        List<JobId> alike = rig.enqueue(3, labelled());
        List<JobId> mixed = rig.enqueue(labelled(), job("mail"), job("mail").label("team", "ads"));
        List<JobId> keyed = rig.enqueue(labelled().dedup("a"), job("mail").dedup("b"));
        alike.forEach(id -> assertLabelled(rig, id));
        assertLabelled(rig, mixed.getFirst());
        assertThat(rig.status(mixed.get(1)).spec().attributes()).isEqualTo(Attributes.NONE);
        assertThat(rig.status(mixed.get(2)).labels()).isEqualTo(Map.of("team", "ads"));
        assertLabelled(rig, keyed.getFirst());
        assertThat(rig.status(keyed.getLast()).spec().attributes()).isEqualTo(Attributes.NONE);
    }

    /** The price of a job with labels, too: it needs no statement more. */
    @Test
    default void theyCostNoStatement(Rig rig) {
        ScriptedWorker worker = rig.worker("mail");
        long[] statements = new long[2];
        for (int round = 0; round < 6; round++) {
            boolean isPlain = round % 2 == 0;
            long before = rig.store().backend().statements();
            rig.enqueue(isPlain ? job("mail") : labelled());
            worker.claim(1);
            worker.finishAll();
            statements[isPlain ? 0 : 1] = rig.store().backend().statements() - before;
        }
        assertThat(statements[1]).isEqualTo(statements[0]);
    }

    @Test
    default void jobsAreFoundByTheirLabels(Rig rig) {
        JobId both = rig.enqueue(labelled());
        JobId one = rig.enqueue(job("ads").label("team", "mail"));
        JobId other = rig.enqueue(job("mail").label("team", "mail2").header("team", "mail"));
        JobId tricky = rig.enqueue(job("mail").label("note", "\",\"team\":\"mail\""));
        JobId ended = rig.enqueue(labelled());
        rig.enqueue(job("mail"));
        rig.store().cancel(ended);
        JobFilter team = JobFilter.all().label("team", "mail");
        assertThat(found(rig, team)).containsExactly(ended, one, both);
        assertThat(found(rig, team.label("tenant", "o'neil \"é\\"))).containsExactly(ended, both);
        assertThat(found(rig, team.label("tenant", "other"))).isEmpty();
        assertThat(found(rig, team.queue("ads"))).containsExactly(one);
        assertThat(found(rig, team.type("other"))).isEmpty();
        assertThat(found(rig, team.state(JobState.CANCELLED))).containsExactly(ended);
        assertThat(found(rig, team.state(JobState.QUEUED))).containsExactly(one, both);
        assertThat(found(rig, team.before(ended).limit(1))).containsExactly(one);
        assertThat(found(rig, JobFilter.all().label("team", "mail2"))).containsExactly(other);
        assertThat(found(rig, JobFilter.all().label("note", "\",\"team\":\"mail\"")))
                .containsExactly(tricky);
        rig.worker("ads").claim(1);
        assertThat(found(rig, team.state(JobState.RUNNING))).containsExactly(one);
        assertThat(found(rig, team.state(JobState.RUNNING).label("tenant", "x")))
                .isEmpty();
        assertThat(found(rig, team.error("no error"))).isEmpty();
    }

    @Test
    default void thoseThatWaitAtAGateAreFoundByTheirLabelsToo(Rig rig) {
        rig.policy("gate api", "concurrency 1");
        JobId runs = rig.enqueue(job("mail").gate("api").label("team", "mail"));
        JobId waits = rig.enqueue(job("mail").gate("api").label("team", "mail"));
        rig.enqueue(job("mail").gate("api").label("team", "ads"));
        rig.worker("mail").claimAll();
        JobFilter team = JobFilter.all().label("team", "mail");
        assertThat(found(rig, team.waiting("api"))).containsExactly(waits);
        assertThat(found(rig, team.holding("api"))).containsExactly(runs);
        assertThat(found(rig, team.gate("api"))).containsExactly(waits, runs);
        assertThat(found(rig, team.gate("other"))).isEmpty();
    }

    /** Only what has labels counts for a look: the others are not in the index. */
    @Test
    default void aLookPassesABoundedNumberOfJobsWithLabels(Rig rig) {
        List<JobId> wanted = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            wanted.add(rig.enqueue(job("mail").label("n", "1")));
            rig.enqueue(job("mail").label("n", "2"));
            rig.enqueue(5, job("mail").header("n", "1"));
        }
        JobFilter filter = JobFilter.all().label("n", "1");
        for (boolean isLive : List.of(true, false)) {
            if (!isLive) {
                rig.store().list(JobFilter.all()).forEach(job -> rig.store().cancel(job.id()));
            }
            rig.store().backend().read(tx -> {
                JobIds ids = isLive ? tx.jobs().ids() : tx.history().ids();
                assertThat(ids.list(filter, 4))
                        .containsExactly(wanted.get(3).value(), wanted.get(2).value());
                long floor = Objects.requireNonNull(ids.floor(filter, 4));
                assertThat(floor).isEqualTo(wanted.get(2).value());
                assertThat(ids.list(filter.before(JobId.of(floor)), 4))
                        .containsExactly(wanted.get(1).value(), wanted.get(0).value());
                assertThat(ids.floor(filter, 9)).isNull();
                return true;
            });
        }
    }

    @Test
    default void childrenHaveThoseOfTheJobThatWaitsForThem(Rig rig) {
        Headgate headgate = Headgate.open(rig.store().backend());
        JobId parent = headgate.enqueue(
                        SEND,
                        new Note("parent"),
                        job -> job.label("tenant", "acme")
                                .header("TraceParent", "00-ab")
                                .child(
                                        SEND,
                                        new Note("child"),
                                        child -> child.label("team", "ads").child(SEND, new Note("grandchild"))))
                .id();
        List<JobStatus> all = headgate.list(JobFilter.all().label("tenant", "acme"));
        assertThat(all).extracting(job -> job.labels().get("kind")).containsExactly("parent", "child", "grandchild");
        assertThat(all).extracting(job -> job.labels().get("team")).containsExactly("mail", "ads", "mail");
        assertThat(all).allMatch(job -> job.headers().equals(Map.of("traceparent", "00-ab")));
        assertThat(all.getFirst().id()).isEqualTo(parent);
    }

    Workflow<Integer, Integer> LETTER = Workflow.named("letter", 1, Integer.class)
            .then("write", (n, step) -> n)
            .build();

    Workflow<Integer, Integer> POST = Workflow.named("post", 1, Integer.class)
            .then("sort", (n, step) -> n, step -> step.label("step", "sort"))
            .spawnEach("letters", LETTER, n -> IntStream.range(0, n).boxed().toList())
            .sleep("rest", Duration.ofMinutes(1))
            .then("close", (n, step) -> n)
            .build();

    @Test
    default void theJobsOfARunHaveThoseOfTheRunAndSoHaveTheRunsThatItStarts(Rig rig) {
        WorkflowRig play = new WorkflowRig(rig, "default").register(POST);
        RunId id = play.workflows()
                .start(
                        POST,
                        2,
                        run -> run.label("tenant", "acme").label("step", "any").header("traceparent", "00-ab"))
                .id();
        RunId plain = play.workflows().start(POST, 1).id();
        play.all();
        rig.advance(Duration.ofMinutes(1));
        play.all();
        Map<String, String> headers = Map.of("traceparent", "00-ab");
        List<RunStatus> tree = play.workflows().tree(id);
        assertThat(tree).hasSize(3);
        assertThat(tree).allMatch(run -> run.origin().attributes().headers().equals(headers));
        assertThat(tree)
                .allMatch(
                        run -> "acme".equals(run.origin().attributes().labels().get("tenant")));
        List<JobStatus> jobs = rig.store().list(JobFilter.all().label("tenant", "acme"));
        assertThat(jobs).hasSizeGreaterThan(4).allMatch(job -> job.headers().equals(headers));
        assertThat(jobs).extracting(JobStatus::type).anyMatch(type -> type.contains("write"));
        assertThat(jobs)
                .filteredOn(job -> "sort".equals(job.labels().get("step")))
                .hasSize(1);
        assertThat(play.workflows().status(plain).origin().attributes()).isEqualTo(Attributes.NONE);
        RunFilter acme = RunFilter.all().label("tenant", "acme");
        assertThat(play.workflows().list(acme)).extracting(RunStatus::id).containsExactly(id);
        assertThat(play.workflows().list(acme.workflow("letter"))).hasSize(2);
        assertThat(play.workflows().list(acme.state(tree.getFirst().state()))).hasSize(1);
        assertThat(play.workflows().list(acme.label("step", "sort"))).isEmpty();
        assertThat(play.workflows().list(acme.before(id))).isEmpty();
    }

    @Test
    default void aLookPassesABoundedNumberOfRuns(Rig rig) {
        WorkflowRig play = new WorkflowRig(rig, "default").register(POST).register(LETTER);
        List<RunId> wanted = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            wanted.add(play.workflows()
                    .start(LETTER, i, run -> run.label("n", "1"))
                    .id());
            play.workflows().start(POST, 0, run -> run.label("n", "2"));
            play.workflows().start(POST, 0);
        }
        RunFilter all = RunFilter.all();
        rig.store().backend().read(tx -> {
            var frames = tx.frames();
            assertThat(frames.list(RunKind.LABELLED, all.label("n", "1"), 4))
                    .extracting(row -> RunId.of(row.id()))
                    .containsExactly(wanted.get(2), wanted.get(1));
            assertThat(frames.floor(RunKind.LABELLED, all.label("n", "1"), 4))
                    .isEqualTo(wanted.get(1).value());
            assertThat(frames.floor(RunKind.LABELLED, all.label("n", "1"), 7)).isNull();
            RunFilter letters = all.workflow("letter");
            assertThat(frames.list(RunKind.ROOTS, letters, 6))
                    .extracting(row -> RunId.of(row.id()))
                    .containsExactly(wanted.get(2), wanted.get(1));
            assertThat(frames.floor(RunKind.ROOTS, letters, 6))
                    .isEqualTo(wanted.get(1).value());
            assertThat(frames.floor(RunKind.CHILD_RUNS, letters, 1)).isNull();
            return true;
        });
        RunPage page = play.workflows().page(all.workflow("letter").limit(2));
        assertThat(page.runs()).extracting(RunStatus::id).containsExactly(wanted.get(2), wanted.get(1));
        assertThat(page.next()).isEqualTo(wanted.get(1));
        assertThat(page.isPartial()).isFalse();
        RunPage rest = play.workflows().page(all.workflow("letter").before(wanted.get(1)));
        assertThat(rest.runs()).extracting(RunStatus::id).containsExactly(wanted.get(0));
        assertThat(rest.next()).isNull();
    }

    @Test
    default void theJobsOfAScheduleHaveThemAndHandlersReadThem(Rig rig) {
        List<Map<String, String>> seen = new ArrayList<>();
        try (SteppedHeadgate stepped = new SteppedHeadgate(rig.store().backend(), rig.time())) {
            Headgate headgate = stepped.headgate();
            headgate.handle(SEND, (Note note, JobContext job) -> {
                seen.add(job.labels());
                seen.add(job.headers());
            });
            headgate.worker("default").slots(10).start();
            headgate.schedules()
                    .put(
                            "often",
                            Schedule.every(Duration.ofSeconds(1)),
                            SEND,
                            new Note("a"),
                            job -> job.header("by", "ada"));
            headgate.schedules().edit("often", edit -> edit.job(job -> job.label("tenant", "acme")));
            stepped.runFor(Duration.ofMillis(1_500));
            assertThat(headgate.schedules()
                            .find("often")
                            .orElseThrow()
                            .terms()
                            .job()
                            .attributes()
                            .headers())
                    .isEqualTo(Map.of("by", "ada"));
        }
        assertThat(seen).contains(Map.of("team", "mail", "kind", "a", "tenant", "acme"), Map.of("by", "ada"));
    }

    @Test
    default void anEnqueueWithWrongOnesStoresNothing(Rig rig) {
        Headgate headgate = Headgate.open(rig.store().backend());
        assertThatThrownBy(() -> headgate.enqueue(
                        SEND, new Note("a"), job -> job.label("no name", "a").priority(5_000)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("label: expected a name of 1 to 63 letters")
                .hasMessageContaining("priority: expected");
        assertThat(headgate.list(JobFilter.all())).isEmpty();
    }
}
