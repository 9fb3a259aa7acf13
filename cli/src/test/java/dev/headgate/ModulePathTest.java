package dev.headgate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A modular program of a user: compiled against the built modules and run in a JVM of its own, on the module path. */
class ModulePathTest {
    /** What the published modules need at run time. Test libraries stay out: they would come along as automatic modules. */
    private static final List<String> LIBRARIES = List.of(
            "HikariCP-",
            "cron-utils-",
            "jackson-",
            "jetty-",
            "jspecify-",
            "picocli-",
            "postgresql-",
            "slf4j-",
            "snakeyaml-engine-",
            "sqlite-jdbc-");

    private static final String MODULE = """
            module shop {
                requires dev.headgate;
                opens shop to tools.jackson.databind;
            }
            """;

    private static final String MAIN = """
            package shop;

            import dev.headgate.Headgate;
            import dev.headgate.Worker;
            import dev.headgate.job.JobId;
            import dev.headgate.job.JobType;
            import dev.headgate.run.RunId;
            import dev.headgate.workflow.Workflow;
            import java.time.Duration;

            public final class Main {
                record Order(int number) {}

                static final JobType<Order> PACK = JobType.of("pack", Order.class);
                static final Workflow<Order, Order> SHIP = Workflow.named("ship", 1, Order.class)
                        .then("load", (order, step) -> new Order(order.number() + 1))
                        .then("leave", (order, step) -> new Order(order.number() + 1))
                        .build();

                public static void main(String[] args) throws Exception {
                    try (Headgate headgate = Headgate.open("jdbc:sqlite:" + args[0])) {
                        headgate.handleWithResult(PACK, (order, job) -> "packed " + order.number());
                        headgate.workflows().register(SHIP);
                        Worker worker = headgate.worker("default").start();
                        JobId job = headgate.enqueue(PACK, new Order(7)).id();
                        RunId run = headgate.workflows().start(SHIP, new Order(1)).id();
                        Duration soon = Duration.ofMinutes(2);
                        headgate.await(job, soon).orElseThrow();
                        headgate.workflows().await(run, soon).orElseThrow();
                        System.out.println(headgate.result(job, String.class).orElseThrow());
                        System.out.println(headgate.workflows().result(run, SHIP));
                        worker.stopNow();
                    }
                    Class<?> codec = Class.forName("dev.headgate.internal.json.JsonCodec");
                    try {
                        codec.getConstructor().newInstance();
                        System.out.println("an internal type is open");
                    } catch (IllegalAccessException closed) {
                        System.out.println("internal types are closed");
                    }
                    System.out.println(Headgate.class.getModule());
                }
            }
            """;

    private static final String INTRUDER = """
            package shop;

            final class Intruder {
                Object codec = new dev.headgate.internal.json.JsonCodec();
                Class<?> backend = dev.headgate.spi.Backend.class;
            }
            """;

    @TempDir
    Path folder;

    @Test
    void aModularProgramRunsJobsAndSeesNothingInternal() throws IOException, InterruptedException {
        assertThat(compile(MODULE, MAIN)).as("compiler").isEmpty();
        assertThat(run())
                .contains("packed 7", "Order[number=3]", "internal types are closed", "module dev.headgate")
                .doesNotContain("an internal type is open");
    }

    @Test
    void aProgramThatNamesAnInternalTypeDoesNotCompile() throws IOException {
        assertThat(compile(MODULE, INTRUDER))
                .contains(
                        "package dev.headgate.internal.json is not visible", "package dev.headgate.spi is not visible");
    }

    private String compile(String module, String type) throws IOException {
        Path sources = Files.createDirectories(folder.resolve("src/shop"));
        Path descriptor = Files.writeString(folder.resolve("src/module-info.java"), module);
        Path code =
                Files.writeString(sources.resolve(type.contains("class Main") ? "Main.java" : "Intruder.java"), type);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter said = new StringWriter();
        try (var files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            compiler.getTask(
                            said,
                            files,
                            null,
                            List.of(
                                    "--module-path",
                                    modulePath(),
                                    "-d",
                                    classes().toString()),
                            null,
                            files.getJavaFileObjects(descriptor, code))
                    .call();
        }
        return said.toString();
    }

    private String run() throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=org.xerial.sqlitejdbc",
                "--module-path",
                modulePath() + File.pathSeparator + classes(),
                "--add-modules",
                "dev.headgate.sqlite,dev.headgate.postgres,dev.headgate.builtin,dev.headgate.testkit,dev.headgate.cli",
                "--module",
                "shop/shop.Main",
                folder.resolve("jobs.db").toString()));
        Path output = folder.resolve("output.txt");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(10, TimeUnit.MINUTES))
                    .as("ended in time")
                    .isTrue();
        } finally {
            process.destroyForcibly();
        }
        return Files.readString(output);
    }

    private Path classes() {
        return folder.resolve("classes");
    }

    /** The published modules as they were built, and what they need. */
    private static String modulePath() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(entry -> isPublished(Path.of(entry)))
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static boolean isPublished(Path entry) {
        String name = entry.getFileName().toString();
        return Files.exists(entry.resolve("module-info.class"))
                || (name.startsWith("headgate-") && !name.startsWith("headgate-proof"))
                || LIBRARIES.stream().anyMatch(name::startsWith);
    }
}
