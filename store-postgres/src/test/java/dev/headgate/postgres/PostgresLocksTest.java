package dev.headgate.postgres;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.job.JobId;
import dev.headgate.job.Lane;
import dev.headgate.job.ParkReason;
import dev.headgate.limit.GateKey;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.proof.WorkflowRig;
import dev.headgate.proof.contract.RecurrenceContract;
import dev.headgate.proof.contract.WorkflowContract;
import dev.headgate.proof.contract.WorkflowContract.Trail;
import dev.headgate.run.RunId;
import dev.headgate.spi.EndPosition;
import dev.headgate.spi.EndedRange;
import dev.headgate.spi.HeadOfLane;
import dev.headgate.spi.ShareRow.OrderKey;
import dev.headgate.spi.StoreTransaction;
import dev.headgate.testkit.VirtualTime;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.FutureTask;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What a call of a table locks, no other transaction can lock until this one ends; and a call that leaves out what others have
 * locked does not wait for it.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PostgresLocksTest {
    private final String url = TestServer.emptyStore();
    private final VirtualTime time = new VirtualTime();
    private Rig rig;
    private ScriptedWorker worker;
    private Connection foreign;

    @BeforeEach
    void open() throws SQLException {
        rig = new Rig(PostgresBackend.open(url, time), time);
        worker = rig.worker("mail");
        foreign = DriverManager.getConnection(url);
        foreign.setAutoCommit(false);
    }

    @AfterEach
    void close() throws SQLException {
        foreign.close();
        rig.close();
    }

    /** @param rows a table, and which of its rows */
    private void holds(String rows, Function<StoreTransaction, Collection<?>> call) throws SQLException {
        assertThat(lockable(rows)).as("%s, before", rows).isPositive();
        int left = rig.store().backend().write(tx -> {
            assertThat(List.copyOf(call.apply(tx))).as(rows).isNotEmpty();
            return lockable(rows);
        });
        assertThat(left).as("%s that another can lock meanwhile", rows).isZero();
    }

    private int lockable(String rows) {
        try (Statement statement = foreign.createStatement();
                ResultSet found = statement.executeQuery("select 1 from %s for update skip locked".formatted(rows))) {
            int count = 0;
            while (found.next()) {
                count++;
            }
            foreign.rollback();
            return count;
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private void skips(String rows, Function<StoreTransaction, Collection<?>> call) throws Exception {
        FutureTask<Integer> calling;
        boolean isWaiting;
        try (Statement statement = foreign.createStatement()) {
            assertThat(statement
                            .executeQuery("select 1 from %s for update".formatted(rows))
                            .next())
                    .as(rows)
                    .isTrue();
            calling = LockWaits.start(() -> rig.store()
                    .backend()
                    .write(tx -> List.copyOf(call.apply(tx)).size()));
            isWaiting = LockWaits.await(url, calling);
        } finally {
            foreign.rollback();
        }
        assertThat(calling.get()).as("what it took of %s", rows).isZero();
        assertThat(isWaiting).as("it waits for %s", rows).isFalse();
    }

    private static String jobs(JobId id) {
        return "headgate_job where id = " + id.value();
    }

    private static EndedRange all(StoreTransaction tx) {
        return EndedRange.before(tx.now() + 1);
    }

    @Test
    void aWorker() throws SQLException {
        holds(
                "headgate_worker where id = '%s'".formatted(worker.id()),
                tx -> List.of(Objects.requireNonNull(tx.workers().lock(worker.id(), null))));
    }

    @Test
    void aJob() throws SQLException {
        JobId id = rig.enqueue(job("mail"));
        holds(jobs(id), tx -> List.of(Objects.requireNonNull(tx.jobs().lock(id.value()))));
        worker.claim(1);
        holds(jobs(id), tx -> tx.jobs().held(worker.id(), List.of(worker.ref(id))));
    }

    @Test
    void theHeadsOfLanes() throws Exception {
        JobId plain = rig.enqueue(job("mail"));
        Map<String, Integer> lane = Map.of(new Lane("mail", List.of()).id(), 9);
        holds(jobs(plain), tx -> tx.jobs().plainHeads(lane).get());
        skips(jobs(plain), tx -> tx.jobs().plainHeads(lane).get());
        JobId gated = rig.enqueue(job("mail").gate("a"));
        String other = new Lane("mail", List.of("a")).id();
        holds(jobs(gated), tx -> tx.jobs().heads(List.of(other), 1));
    }

    @Test
    void lanes() throws Exception {
        rig.enqueue(2, job("mail").gate("a"));
        worker.claim(1);
        String lane = new Lane("mail", List.of("a")).id();
        List<OrderKey> places = List.of(new OrderKey(GateKey.queue("mail"), ""));
        holds("headgate_lane", tx -> tx.lanes().lockReady(places, 9).get());
        skips("headgate_lane", tx -> tx.lanes().lockReady(places, 9).get());
        holds("headgate_lane", tx -> tx.lanes().lock(List.of(lane)));
        skips("headgate_lane", tx -> tx.lanes().lock(List.of(lane)));
    }

    @Test
    void gates() throws Exception {
        SortedSet<GateKey> first = new TreeSet<>(List.of(GateKey.gate("a")));
        SortedSet<GateKey> others = new TreeSet<>(List.of(GateKey.gate("b")));
        rig.store().backend().write(tx -> tx.gates().lock(first, others).size());
        holds("headgate_gate where key = 'gate:a'", tx -> tx.gates().lock(first).get());
        holds("headgate_gate where key = 'gate:b'", tx -> tx.gates().lock(first, others));
        skips(
                "headgate_gate where key = 'gate:b'",
                tx -> tx.gates().lock(first, others).stream()
                        .filter(row -> others.contains(row.key()))
                        .toList());
    }

    @Test
    void jobsThatOthersWaitForAndThoseThatWait() throws SQLException {
        JobId first = rig.enqueue(job("mail"));
        JobId second = rig.enqueue(job("mail").after(first));
        holds(jobs(first), tx -> tx.edges().lockLive(List.of(first.value())));
        holds(jobs(second), tx -> tx.edges().lockAwaiting(List.of(second.value())));
    }

    @Test
    void notesThatSomethingMustBeLookedAt() throws Exception {
        JobId id = rig.enqueue(job("mail"));
        rig.store().backend().write(tx -> {
            tx.edges().addLooks(List.of(id.value()));
            return null;
        });
        skips("headgate_look", tx -> tx.edges().takeLooks(9));
    }

    @Test
    void jobsThatHaveEnded() throws Exception {
        JobId id = rig.enqueue(job("mail"));
        worker.claim(1);
        worker.finishAll();
        holds("headgate_history", tx -> tx.history().hold(List.of(id.value())));
        holds("headgate_history", tx -> tx.history().lockEnded(all(tx), EndPosition.startOf(all(tx)), 9));
        skips("headgate_history", tx -> tx.history().lockEnded(all(tx), EndPosition.startOf(all(tx)), 9));
    }

    @Test
    void runs() throws Exception {
        WorkflowRig play = new WorkflowRig(rig, "default").register(WorkflowContract.ABC);
        RunId run = play.workflows().start(WorkflowContract.ABC, new Trail("-")).id();
        holds("headgate_frame", tx -> tx.frames().lockRoots(List.of(run.value())));
        play.all();
        holds("headgate_frame", tx -> tx.frames().lockEndedRoots(all(tx), EndPosition.startOf(all(tx)), 9));
        skips("headgate_frame", tx -> tx.frames().lockEndedRoots(all(tx), EndPosition.startOf(all(tx)), 9));
    }

    @Test
    void profiles() throws SQLException {
        SortedSet<String> types = new TreeSet<>(List.of("work"));
        rig.store().backend().write(tx -> tx.profiles().lock(types).size());
        holds("headgate_profile", tx -> tx.profiles().lock(types));
    }

    @Test
    void schedules() throws Exception {
        rig.schedules().put("s", RecurrenceContract.terms(RecurrenceContract.MINUTELY, job("mail")));
        holds(
                "headgate_schedule",
                tx -> List.of(Objects.requireNonNull(tx.schedules().lock("s"))));
        rig.advance(RecurrenceContract.MINUTE);
        holds("headgate_schedule", tx -> tx.schedules().lockDue(tx.now(), 9));
        skips("headgate_schedule", tx -> tx.schedules().lockDue(tx.now(), 9));
    }

    @Test
    void theOldestOfABacklog() throws Exception {
        rig.policy("queue mail", "backlog 9 drop-oldest").policy("gate a", "backlog 9 drop-oldest");
        JobId id = rig.enqueue(job("mail").gate("a"));
        for (GateKey key : List.of(GateKey.queue("mail"), GateKey.gate("a"))) {
            holds(jobs(id), tx -> tx.backlog().oldest(key, 1));
            skips(jobs(id), tx -> tx.backlog().oldest(key, 1));
        }
    }

    @Test
    void jobsWhoseTimeHasCome() throws Exception {
        JobId due = rig.enqueue(job("mail").after(Duration.ofSeconds(1)));
        JobId late = rig.enqueue(job("mail").deadline(rig.time().now().plusSeconds(1)));
        rig.advance(Duration.ofSeconds(2));
        skips(jobs(due), tx -> tx.jobs().promoteDue(List.of("mail"), tx.now(), 9));
        skips(jobs(late), tx -> tx.jobs().expire(tx.now(), 9));
    }

    @Test
    void parkedJobs() throws Exception {
        JobId id = rig.enqueue(job("mail").type("odd"));
        worker.claim(1);
        worker.park(id, ParkReason.UNKNOWN_HANDLER);
        skips(jobs(id), tx -> tx.jobs().unpark(ParkReason.UNKNOWN_HANDLER, List.of(), tx.now(), 9));
        skips(jobs(id), tx -> tx.jobs().unpark(ParkReason.UNKNOWN_HANDLER, List.of("odd"), tx.now(), 9));
    }

    @Test
    void doorbells() throws Exception {
        JobId id = rig.enqueue(job("mail").gate("a"));
        HeadOfLane head = rig.store().backend().read(tx -> {
            var row = Objects.requireNonNull(tx.jobs().find(id.value()));
            return HeadOfLane.of(
                    row.spec().lane(), row.place().rank(), row.spec().cost());
        });
        skips(
                "headgate_arrival",
                tx -> tx.lanes().takeArrivals(List.of("mail"), 9, 0).get());
        skips("headgate_arrival", tx -> {
            tx.lanes().unring(List.of(head));
            return List.of();
        });
    }
}
