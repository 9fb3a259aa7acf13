package dev.headgate.examples;

import static dev.headgate.limit.Limit.concurrency;
import static dev.headgate.limit.Limit.rate;
import static dev.headgate.limit.Limit.window;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import dev.headgate.Headgate;
import dev.headgate.limit.Limit;
import dev.headgate.limiter.Denied;
import dev.headgate.limiter.Limiter;
import dev.headgate.limiter.LocalLimiter;
import dev.headgate.limiter.Permit;
import java.time.Duration;

/** The same limits for code that is not a job: in this process, and over all processes through a gate of the store. */
public final class LimitsWithoutJobs {
    private LimitsWithoutJobs() {}

    record Reply(int status, long tokens, Duration retryAfter) {}

    public static void main(String[] args) throws InterruptedException {
        inProcess();
        together();
        try (Headgate headgate = Headgate.open(args.length > 0 ? args[0] : "jdbc:sqlite:limiter.db")) {
            overAllProcesses(headgate);
        }
    }

    private static void inProcess() {
        // docs:begin in-process-limiter
        Limiter limiter = Limiter.inProcess(window(2).per(ofMinutes(1)), concurrency(5));
        for (int i = 0; i < 3; i++) {
            switch (limiter.tryAcquire()) {
                case Permit permit -> {
                    try (permit) {
                        System.out.println("called");
                    }
                }
                case Denied denied -> System.out.println("denied: " + denied.reason());
            }
        }
        // docs:end
    }

    private static void together() {
        // docs:begin limiters-together
        LocalLimiter account = Limiter.inProcess(rate(600).per(ofMinutes(1)).burst(10));
        LocalLimiter model = Limiter.inProcess(concurrency(3)).add(account);
        try (Permit permit = (Permit) model.tryAcquire()) {
            System.out.println("free beside it: " + model.available(10));
        }
        // docs:end
    }

    private static void overAllProcesses(Headgate headgate) throws InterruptedException {
        // docs:begin stored-limiter
        Limit tokens = window(90_000).per(ofMinutes(1)).byCost();
        headgate.policies().gate("provider", gate -> gate.limit(concurrency(5)).limit(tokens));
        Limiter provider = headgate.limiter("provider");
        if (provider.acquire(2_000, ofSeconds(10)) instanceof Permit permit) {
            try (permit) {
                Reply reply = ask();
                if (reply.status() == 429) {
                    permit.pushedBack(reply.retryAfter());
                } else {
                    permit.settle(reply.tokens());
                }
            }
        }
        // docs:end
        System.out.println("next: " + provider.check(90_000).map(Denied::reason).orElse("now"));
    }

    private static Reply ask() {
        return new Reply(200, 0, Duration.ZERO);
    }
}
