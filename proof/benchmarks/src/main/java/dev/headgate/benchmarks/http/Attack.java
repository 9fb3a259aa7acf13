package dev.headgate.benchmarks.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Connections that say nothing, or send their headers or their body byte by byte, beside a client that means well. */
final class Attack implements AutoCloseable {
    private static final int FIGURE_MILLIS = 50;

    private final List<Thread> threads = new ArrayList<>();
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger cut = new AtomicInteger();
    private volatile boolean isOver;

    private Attack(Served served, int idle, int slow) {
        String head = "POST /v1/jobs HTTP/1.1\r\nHost: localhost:%d\r\nAuthorization: Bearer %s\r\n"
                .formatted(served.server.port(), served.token);
        String body = head + "Content-Type: application/json\r\nContent-Length: 100000\r\n\r\n";
        for (int i = 0; i < idle; i++) {
            start(served, "", "");
        }
        for (int i = 0; i < slow; i++) {
            start(served, head, "X-Slow: 1\r\n");
            start(served, body, " ");
        }
    }

    private void start(Served served, String first, String drop) {
        threads.add(Thread.startVirtualThread(() -> {
            while (!isOver) {
                try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), served.server.port())) {
                    open.incrementAndGet();
                    hold(socket, first, drop);
                } catch (IOException cutOff) {
                    cut.incrementAndGet();
                } finally {
                    open.decrementAndGet();
                }
            }
        }));
    }

    private void hold(Socket socket, String first, String drop) throws IOException {
        socket.getOutputStream().write(first.getBytes(StandardCharsets.US_ASCII));
        socket.setSoTimeout(500);
        while (!isOver) {
            if (!drop.isEmpty()) {
                socket.getOutputStream().write(drop.getBytes(StandardCharsets.US_ASCII));
            }
            try {
                if (socket.getInputStream().read() < 0) {
                    throw new IOException("cut off");
                }
            } catch (java.net.SocketTimeoutException stillOpen) {
                // The connection stays open, which is what the attack is for.
            }
        }
    }

    static void run(String kind, Served served, int idle, int slow, int seconds) throws Exception {
        long id = served.headgate
                .enqueueJson("noop", "{\"n\":1}", job -> job.queue("asked"))
                .id()
                .value();
        ask(served, id, seconds); // warms up
        double[] before = ask(served, id, seconds);
        try (Attack attack = new Attack(served, idle, slow)) {
            while (attack.open.get() < idle) {
                LockSupport.parkNanos(10_000_000);
            }
            double[] during = ask(served, id, seconds * 3);
            System.out.printf(
                    "%s  %,d idle connections, %,d with slow headers and %,d with slow bodies, %,d cut off: p50 %.1f ms, p99 %.1f ms, worst %.1f ms (before: p99 %.1f ms), %s the figure of %d ms%n",
                    kind,
                    idle,
                    slow,
                    slow,
                    attack.cut.get(),
                    at(during, 0.5),
                    at(during, 0.99),
                    during[during.length - 1],
                    at(before, 0.99),
                    at(during, 0.99) < FIGURE_MILLIS ? "within" : "OVER",
                    FIGURE_MILLIS);
        }
    }

    /** A hundred requests a second: a job, a list, an enqueue. */
    private static double[] ask(Served served, long id, int seconds) throws IOException {
        double[] millis = new double[seconds * 100];
        try (Connection connection = served.connect()) {
            long begin = System.nanoTime();
            for (int i = 0; i < millis.length; i++) {
                LockSupport.parkNanos(begin + i * 10_000_000L - System.nanoTime());
                long sent = System.nanoTime();
                switch (i % 3) {
                    case 0 -> connection.get("/v1/jobs/" + id);
                    case 1 -> connection.get("/v1/jobs?queue=asked");
                    default -> connection.post("/v1/jobs", "{\"type\":\"noop\",\"payload\":{},\"queue\":\"asked\"}");
                }
                millis[i] = (System.nanoTime() - sent) / 1e6;
            }
        }
        Arrays.sort(millis);
        return millis;
    }

    private static double at(double[] sorted, double share) {
        return sorted[(int) Math.min(sorted.length - 1, sorted.length * share)];
    }

    @Override
    public void close() throws InterruptedException {
        isOver = true;
        for (Thread thread : threads) {
            thread.join();
        }
    }
}
