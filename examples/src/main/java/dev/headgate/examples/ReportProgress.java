package dev.headgate.examples;

import static java.time.Duration.ofSeconds;

import dev.headgate.Headgate;
import dev.headgate.job.JobId;
import dev.headgate.job.JobType;
import dev.headgate.job.LogLine;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A handler that takes its time: it stops when asked, says how far it is, and fences what it writes. */
public final class ReportProgress {
    private ReportProgress() {}

    record Import(String file, int pages) {}

    static final JobType<Import> IMPORT = JobType.of("import", Import.class);

    public static void main(String[] args) throws InterruptedException {
        Archive archive = new Archive();
        try (Headgate headgate = Headgate.open(args.length > 0 ? args[0] : "jdbc:sqlite:imports.db")) {
            handle(headgate, archive);
            JobId id = headgate.enqueue(IMPORT, new Import("catalogue.csv", 4)).id();
            headgate.worker("default").start();
            System.out.println(headgate.await(id, ofSeconds(10)).orElseThrow().state());
            for (LogLine line : headgate.log(id)) {
                System.out.println(line.text());
            }
        }
        System.out.println("an older attempt may write: " + archive.write("catalogue.csv", 1, 0));
    }

    private static void handle(Headgate headgate, Archive archive) {
        // docs:begin progress
        headgate.handle(IMPORT, (order, job) -> {
            for (int page = 1; page <= order.pages(); page++) {
                job.checkCancelled();
                archive.write(order.file(), page, job.epoch());
                job.progress(100 * page / order.pages(), "page " + page);
            }
            job.log("imported %d pages of %s".formatted(order.pages(), order.file()));
        });
        // docs:end
    }

    /** Stands for a system that knows fencing: it refuses an older number than it has seen. */
    static final class Archive {
        private final Map<String, Long> newest = new ConcurrentHashMap<>();

        boolean write(String file, int page, long epoch) {
            return page > 0 && newest.merge(file, epoch, Math::max) == epoch;
        }
    }
}
