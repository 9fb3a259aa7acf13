package dev.headgate.internal.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.handler.BatchOptions;
import dev.headgate.handler.JobContext;
import dev.headgate.internal.handler.BatchGroup.Ticket;
import dev.headgate.job.JobId;
import dev.headgate.job.Lane;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Which members a batch waits for until it starts. */
class BatchCollectorTest {
    private static final Lane LANE = new Lane("default", List.of());

    private final List<Integer> sizes = new CopyOnWriteArrayList<>();

    private BatchCollector<String> gathering(BatchOptions options) {
        return new BatchCollector<>("work", options, members -> sizes.add(members.size()));
    }

    private static JobContext job(long id) {
        return (JobContext) Proxy.newProxyInstance(
                BatchCollectorTest.class.getClassLoader(), new Class<?>[] {JobContext.class}, (proxy, method, args) -> {
                    return switch (method.getName()) {
                        case "id" -> new JobId(id);
                        case "epoch" -> 1L;
                        default -> throw new UnsupportedOperationException(method.getName());
                    };
                });
    }

    /** A thread that has joined and waits. */
    private static Thread joined(BatchCollector<String> gathering, long id) {
        Thread thread = Thread.ofPlatform().daemon().start(() -> {
            try {
                gathering.join("payload", job(id));
            } catch (Exception stopped) {
                Thread.currentThread().interrupt();
            }
        });
        while (thread.getState() != Thread.State.WAITING && thread.getState() != Thread.State.TIMED_WAITING) {
            assertThat(thread.isAlive()).as("it waits for others").isTrue();
            Thread.onSpinWait();
        }
        return thread;
    }

    @Test
    void itWaitsForThoseOnTheWay() throws Exception {
        BatchCollector<String> gathering = gathering(BatchOptions.upTo(5));
        gathering.expect(new Ticket(1, 1), LANE);
        gathering.expect(new Ticket(2, 1), LANE);
        Thread first = joined(gathering, 1);
        assertThat(sizes).isEmpty();
        gathering.join("payload", job(2));
        first.join();
        assertThat(sizes).containsExactly(2);
    }

    @Test
    void itDoesNotWaitForOneThatWillNotCome() throws Exception {
        BatchCollector<String> gathering = gathering(BatchOptions.upTo(5));
        gathering.expect(new Ticket(1, 1), LANE);
        gathering.expect(new Ticket(2, 1), LANE);
        Thread first = joined(gathering, 1);
        gathering.left(new Ticket(2, 1));
        first.join();
        assertThat(sizes).containsExactly(1);
    }

    @Test
    void ifTheOneWhoKeepsTheTimeLeavesTheOthersGo() throws Exception {
        BatchCollector<String> gathering = gathering(BatchOptions.upTo(5).linger(Duration.ofMinutes(1)));
        gathering.expect(new Ticket(1, 1), LANE);
        gathering.expect(new Ticket(2, 1), LANE);
        Thread first = joined(gathering, 1);
        Thread second = joined(gathering, 2);
        assertThat(sizes).isEmpty();
        first.interrupt();
        second.join();
        assertThat(sizes).containsExactly(1);
    }
}
