package dev.headgate.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Several workers and one client, each a process of its own; whichever ends is started again, as a supervisor would. Where
 * that is allowed, each is process 1 on a host of the same name, as replicas in containers are. Thread-safe.
 */
final class Fleet implements AutoCloseable {
    private static final int WORKERS = 3;
    private static final long AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long NUMBERS_EACH = 1_000_000;

    private final Folder folder;
    private final Trail deaths;
    private final List<Berth> workers = new ArrayList<>();
    private final Berth client;
    private final List<String> container = Tools.whyNoContainer() == null ? Tools.CONTAINER : List.of();
    private final AtomicInteger clients = new AtomicInteger();
    private final AtomicLong starts = new AtomicLong();
    private final AtomicLong skewed = new AtomicLong();

    /** @param clocks what a worker finds in its environment to see another time; empty if it sees the right one */
    Fleet(String url, Folder folder, Random random, Function<Random, Map<String, String>> clocks) {
        this.folder = folder;
        this.deaths = new Trail(folder.deaths());
        Random dice = new Random(random.nextLong());
        for (int i = 0; i < WORKERS; i++) {
            String name = "worker-" + i;
            workers.add(new Berth(() -> worker(url, name, dice, clocks)));
        }
        client = new Berth(() -> new Jvm.Launch(
                        ClientMain.class,
                        List.of(url, folder.root().toString(), Long.toString(clients.incrementAndGet() * NUMBERS_EACH)),
                        container,
                        Map.of(),
                        folder.root().resolve("client.log"))
                .start());
    }

    private Jvm worker(String url, String name, Random dice, Function<Random, Map<String, String>> clocks) {
        Map<String, String> clock;
        String drain;
        synchronized (dice) {
            clock = clocks.apply(dice);
            drain = dice.nextBoolean() ? "0" : "1000";
        }
        if (!clock.isEmpty()) {
            skewed.incrementAndGet();
        }
        List<String> arguments = List.of(url, folder.root().toString(), name, drain);
        return new Jvm.Launch(
                        WorkerMain.class,
                        arguments,
                        container,
                        clock,
                        folder.root().resolve(name + ".log"))
                .start();
    }

    void start() {
        workers.forEach(Berth::open);
        client.open();
    }

    /** How many processes were started, and how many of them with a wrong clock. */
    long starts() {
        return starts.get();
    }

    /** Whether they are as alike as replicas in containers. */
    boolean isContained() {
        return !container.isEmpty();
    }

    long skewed() {
        return skewed.get();
    }

    /** One worker that is at work; absent if none is. */
    @Nullable
    Jvm any(Random random) {
        List<Jvm> ready = running();
        return ready.isEmpty() ? null : ready.get(random.nextInt(ready.size()));
    }

    List<Jvm> running() {
        return workers.stream()
                .map(berth -> berth.jvm)
                .flatMap(Stream::ofNullable)
                .filter(Jvm::isReady)
                .toList();
    }

    boolean killClient() throws InterruptedException {
        Jvm jvm = client.jvm;
        if (jvm == null || !jvm.isReady()) {
            return false;
        }
        jvm.kill();
        return true;
    }

    /** Every process that has the store open ends at once. */
    void killAll() throws InterruptedException {
        List<Jvm> all = Stream.concat(workers.stream(), Stream.of(client))
                .map(berth -> berth.jvm)
                .flatMap(Stream::ofNullable)
                .toList();
        for (Jvm jvm : all) {
            jvm.signal("KILL");
        }
        for (Jvm jvm : all) {
            jvm.awaitExit();
        }
    }

    /** Lets all stopped processes go on. */
    void resume() {
        running().forEach(jvm -> jvm.signal("CONT"));
    }

    /** Waits until all workers are at work; false if they are not within the time. */
    boolean awaitAll(long seconds) {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (running().size() < WORKERS && until - System.nanoTime() > 0) {
            LockSupport.parkNanos(AGAIN_NANOS);
        }
        return running().size() == WORKERS;
    }

    /** No more jobs. */
    void stopClient() throws InterruptedException {
        client.shut();
    }

    /** Tells all workers to stop in good order; answers how many did not end by themselves. */
    int stopWorkers() throws InterruptedException {
        int stuck = 0;
        for (Berth berth : workers) {
            berth.isOpen = false;
            Jvm jvm = berth.jvm;
            if (jvm != null) {
                jvm.signal("TERM");
            }
        }
        for (Berth berth : workers) {
            Jvm jvm = berth.jvm;
            if (jvm != null && !jvm.awaitExit(15)) {
                stuck++;
            }
            berth.shut();
        }
        return stuck;
    }

    @Override
    public void close() throws InterruptedException {
        client.shut();
        for (Berth berth : workers) {
            berth.shut();
        }
        deaths.close();
    }

    /** A place for one process, filled again whenever it is empty. */
    private final class Berth {
        private final Supplier<Jvm> launch;
        private volatile @Nullable Jvm jvm;
        private volatile boolean isOpen;
        private volatile @Nullable Thread keeper;

        private Berth(Supplier<Jvm> launch) {
            this.launch = launch;
        }

        private void open() {
            isOpen = true;
            keeper = Thread.ofVirtual().start(this::keep);
        }

        private void keep() {
            try {
                while (isOpen) {
                    Jvm started = launch.get();
                    starts.incrementAndGet();
                    jvm = started;
                    int exit = started.awaitExit();
                    deaths.add(started.number(), exit);
                    LockSupport.parkNanos(AGAIN_NANOS);
                }
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
        }

        private void shut() throws InterruptedException {
            isOpen = false;
            Thread keeping = keeper;
            while (keeping != null && keeping.isAlive()) {
                Jvm last = jvm;
                if (last != null) {
                    last.kill();
                }
                keeping.join(100);
            }
        }
    }
}
