package dev.headgate.proof;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Lets the n-th statement of one thread fail without being sent: a store that keeps its promises has then written nothing
 * of the transaction around it. It stands between a store and its JDBC driver, and knows JDBC by the names of its
 * methods only.
 *
 * <p>Statements of transactions that only read are let through, and so is every {@code rollback}.
 */
public final class StatementTrap {
    private static final Set<String> WRAPPED =
            Set.of("java.sql.Connection", "java.sql.Statement", "java.sql.PreparedStatement");

    private @Nullable Thread victim;
    private @Nullable Exception failure;
    private Runnable afterCommit = () -> {};
    private int left;

    /** Whether the transaction of one connection only reads. */
    private static final class Manner {
        private boolean isReading;
    }

    /** The same, with a trap in front of it; what it hands out (connections, statements) is behind the trap too. */
    public <T> T before(Class<T> type, T target) {
        return type.cast(wrap(type, target, new Manner(), ""));
    }

    /** From now on the n-th statement of this thread fails with this; {@code afterCommit} hears of every commit. */
    public void arm(int n, Exception failure, Runnable afterCommit) {
        this.left = n;
        this.failure = failure;
        this.afterCommit = afterCommit;
        this.victim = Thread.currentThread();
    }

    /** Lets everything through again; answers whether a statement has failed. */
    public boolean disarm() {
        boolean hasSprung = victim != null && left <= 0;
        victim = null;
        return hasSprung;
    }

    private Object wrap(Class<?> type, Object target, Manner manner, String sql) {
        return Proxy.newProxyInstance(
                StatementTrap.class.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) ->
                        call(target, method, arguments == null ? new Object[0] : arguments, manner, sql));
    }

    private @Nullable Object call(Object target, Method method, Object[] arguments, Manner manner, String prepared)
            throws Throwable {
        boolean hasSql = arguments.length > 0 && arguments[0] instanceof String;
        String sql = hasSql ? String.valueOf(arguments[0]) : prepared;
        boolean isStatement = method.getName().startsWith("execute");
        if (isStatement) {
            before(sql.strip().toLowerCase(Locale.ROOT), manner);
        } else if (method.getName().equals("rollback")) {
            manner.isReading = false;
        }
        Object answer;
        try {
            answer = method.invoke(target, arguments);
        } catch (InvocationTargetException failed) {
            throw failed.getCause();
        }
        if (isStatement && Thread.currentThread().equals(victim) && isCommit(sql)) {
            unwatched(afterCommit);
        }
        Class<?> type = method.getReturnType();
        if (answer != null
                && WRAPPED.contains(type.getName())
                && !method.getName().equals("getConnection")) {
            boolean isConnecting = type.getName().endsWith("Connection");
            return wrap(type, answer, isConnecting ? new Manner() : manner, hasSql ? sql : "");
        }
        return answer;
    }

    private void before(String sql, Manner manner) throws Exception {
        if (sql.startsWith("rollback") && !sql.startsWith("rollback to")) {
            manner.isReading = false;
        }
        boolean isReadOnly = sql.equals("begin") || (sql.startsWith("set transaction") && sql.contains("read only"));
        manner.isReading |= isReadOnly;
        if (Thread.currentThread().equals(victim) && !manner.isReading && !sql.startsWith("rollback")) {
            left--;
            if (left == 0 && failure != null) {
                throw failure;
            }
        }
    }

    private static boolean isCommit(String sql) {
        return sql.strip().toLowerCase(Locale.ROOT).endsWith("commit");
    }

    private void unwatched(Runnable look) {
        Thread watched = victim;
        victim = null;
        look.run();
        victim = watched;
    }
}
