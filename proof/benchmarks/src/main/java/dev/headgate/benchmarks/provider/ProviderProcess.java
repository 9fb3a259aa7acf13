package dev.headgate.benchmarks.provider;

import java.util.ArrayList;
import java.util.List;

/**
 * The provider as the benchmark sees it. It stands for another machine, so it goes before the processes of this one, where the
 * system allows that; where not, {@code nice} says so and runs it all the same.
 */
final class ProviderProcess implements AutoCloseable {
    private final Child child;
    private final int port;

    ProviderProcess() {
        child = Child.start(
                List.of("nice", "-n", "-10"),
                StrictProvider.class,
                List.of(
                        "-Xmx256m",
                        "-XX:+UseSerialGC",
                        "-Dsun.net.httpserver.nodelay=true",
                        "-Dsun.net.httpserver.maxIdleConnections=10000"),
                List.of());
        port = Integer.parseInt(child.read());
    }

    int port() {
        return port;
    }

    void begin(Allowance allowance, int takesMillis) {
        child.ask("begin %s %s %d".formatted(allowance.kind().id(), allowance.figures(), takesMillis));
    }

    /** How many calls came since then. */
    int calls() {
        return Integer.parseInt(child.ask("count"));
    }

    /** How many came since then that do not count. */
    int warmCalls() {
        return Integer.parseInt(child.ask("warm"));
    }

    CallLog end() {
        List<CallLog.Call> calls = new ArrayList<>();
        for (String line = child.ask("end"); !line.equals("."); line = child.read()) {
            calls.add(CallLog.Call.parse(line));
        }
        return new CallLog(calls);
    }

    @Override
    public void close() {
        child.close();
    }
}
