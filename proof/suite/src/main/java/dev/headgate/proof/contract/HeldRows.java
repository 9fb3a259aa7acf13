package dev.headgate.proof.contract;

import dev.headgate.job.Lane;
import dev.headgate.limit.GateKey;
import dev.headgate.spi.Backend;
import dev.headgate.spi.ForwardingBackend;
import dev.headgate.spi.GateTable;
import dev.headgate.spi.LaneRow;
import dev.headgate.spi.LaneTable;
import dev.headgate.spi.Pending;
import dev.headgate.spi.StoreTransaction;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A store in which another transaction seems to have locked some gates and lanes: what takes rows only if they are free passes them
 * by. So what a turn does then is shown on every store, also on one that has no second transaction.
 */
final class HeldRows extends ForwardingBackend {
    private final Set<GateKey> gates = new HashSet<>();
    private final Set<String> lanes = new HashSet<>();

    HeldRows(Backend store) {
        super(store);
    }

    void hold(GateKey gate) {
        gates.add(gate);
    }

    void hold(Lane lane) {
        lanes.add(lane.id());
    }

    void release() {
        gates.clear();
        lanes.clear();
    }

    @Override
    public <T extends @Nullable Object> T write(Function<StoreTransaction, T> work) {
        return super.write(tx -> work.apply(instead(StoreTransaction.class, tx, this::table)));
    }

    private interface Change {
        @Nullable
        Object call(Object sound, Method method, @Nullable Object @Nullable [] arguments)
                throws ReflectiveOperationException;
    }

    private static <T> T instead(Class<T> type, T sound, Change change) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    try {
                        return change.call(sound, method, arguments);
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getCause();
                    }
                }));
    }

    private @Nullable Object table(Object tx, Method method, @Nullable Object @Nullable [] arguments)
            throws ReflectiveOperationException {
        return switch (method.invoke(tx, arguments)) {
            case GateTable table -> instead(GateTable.class, table, this::gates);
            case LaneTable table -> instead(LaneTable.class, table, this::lanes);
            case null -> null;
            case Object other -> other;
        };
    }

    private @Nullable Object gates(Object table, Method method, @Nullable Object @Nullable [] arguments)
            throws ReflectiveOperationException {
        boolean isIfFree = method.getName().equals("lockFree")
                || (method.getName().equals("lock") && method.getParameterCount() == 2);
        if (isIfFree && arguments != null && arguments[arguments.length - 1] instanceof SortedSet<?> wanted) {
            SortedSet<Object> free = new TreeSet<Object>(wanted);
            free.removeAll(gates);
            arguments[arguments.length - 1] = free;
        }
        return method.invoke(table, arguments);
    }

    private @Nullable Object lanes(Object table, Method method, @Nullable Object @Nullable [] arguments)
            throws ReflectiveOperationException {
        Object answer = method.invoke(table, arguments);
        return switch (method.getName()) {
            case "lock" -> free((List<?>) answer);
            case "lockReady" -> ((Pending<?>) answer).map(rows -> free((List<?>) rows));
            default -> answer;
        };
    }

    private List<?> free(List<?> rows) {
        return rows.stream()
                .filter(row -> row instanceof LaneRow lane && !lanes.contains(lane.id()))
                .toList();
    }
}
