package dev.headgate.cli;

import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Ctrl-C and SIGTERM: the first asks, the last insists and ends the process at once. The JVM's own shutdown hooks
 * cannot tell a second signal from the first. The class behind signals is not part of Java's documented API, so it is
 * looked up by name, and where there is none the JVM's own way has to do.
 */
final class ProcessSignals implements Signals {
    private static final Map<String, Integer> EXITS = Map.of("INT", 130, "TERM", 143);

    @Override
    public void onFirst(IntConsumer first) {
        onEach(first, null);
    }

    @Override
    public void onFirstAndSecond(IntConsumer first, Runnable second) {
        onEach(first, second);
    }

    @Override
    public void onResize(Runnable reaction) {
        try {
            set("WINCH", reaction);
        } catch (ReflectiveOperationException | RuntimeException unavailable) {
            // Then the size is that of the beginning.
        }
    }

    private static void onEach(IntConsumer first, @Nullable Runnable second) {
        AtomicInteger count = new AtomicInteger();
        EXITS.forEach((name, exit) -> handle(name, () -> {
            int number = count.incrementAndGet();
            if (number == 1) {
                first.accept(exit);
            } else if (number == 2 && second != null) {
                second.run();
            } else {
                Runtime.getRuntime().halt(exit);
            }
        }));
    }

    private static void handle(String name, Runnable reaction) {
        try {
            set(name, reaction);
        } catch (ReflectiveOperationException | RuntimeException unavailable) {
            Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(reaction));
        }
    }

    private static void set(String name, Runnable reaction) throws ReflectiveOperationException {
        Class<?> signal = Class.forName("sun.misc.Signal");
        Class<?> handler = Class.forName("sun.misc.SignalHandler");
        Object proxy = Proxy.newProxyInstance(
                handler.getClassLoader(), new Class<?>[] {handler}, (self, method, arguments) -> {
                    if (method.getName().equals("handle")) {
                        reaction.run();
                        return null;
                    }
                    return method.invoke(reaction, arguments);
                });
        signal.getMethod("handle", signal, handler)
                .invoke(null, signal.getConstructor(String.class).newInstance(name), proxy);
    }
}
