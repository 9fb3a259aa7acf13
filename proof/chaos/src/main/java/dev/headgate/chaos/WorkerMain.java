package dev.headgate.chaos;

import dev.headgate.Headgate;
import dev.headgate.Worker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** A worker in a process of its own; SIGTERM stops it in good order. */
final class WorkerMain {
    private static final int SLOTS = 6;

    private WorkerMain() {}

    /** Arguments: the store, the folder, a name, the drain in milliseconds. */
    public static void main(String[] args) throws InterruptedException {
        Trail trail = new Trail(new Folder(Path.of(args[1])).handlers());
        Headgate headgate = Headgate.open(args[0]);
        headgate.handleWithResult(Load.WORK, (work, job) -> Load.run(work, job, trail));
        Worker worker = headgate.worker("default")
                .name(args[2])
                .slots(SLOTS)
                .lease(Load.LEASE)
                .drain(Duration.ofMillis(Long.parseLong(args[3])))
                .keepForever()
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            worker.stop();
            headgate.close();
        }));
        System.out.println("ready");
        System.out.flush();
        new CountDownLatch(1).await();
    }
}
