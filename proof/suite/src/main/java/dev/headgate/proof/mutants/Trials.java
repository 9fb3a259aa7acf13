package dev.headgate.proof.mutants;

import java.lang.reflect.Method;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.CancellationToken;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.EngineExecutionListener;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.MethodSource;

/** Runs tests, with a mutant planted or without, one after the other in this process, until the first is red. */
final class Trials {
    /** A test by the contract or class that it stands in, which is what files and people call it. */
    record TestName(String contract, String method) {
        static TestName of(Method method) {
            return new TestName(method.getDeclaringClass().getSimpleName(), method.getName());
        }

        static TestName parse(String text) {
            int dot = text.indexOf('.');
            return new TestName(text.substring(0, dot), text.substring(dot + 1));
        }

        @Override
        public String toString() {
            return contract + "." + method;
        }
    }

    /** How a mutant was caught. */
    enum Way {
        /** A test was red. */
        RED,
        /** A test was ended by its limit of time or steps. */
        HUNG,
        /** The database does not understand the statement without its guard: this shows nothing. */
        STILLBORN
    }

    /** The first test that noticed. */
    record Catch(TestName test, Way way, String what) {}

    private final Map<TestName, DiscoverySelector> tests = new LinkedHashMap<>();
    private final Jupiter jupiter = new Jupiter();

    /** @param classes the tests that may notice, the first of which counts if a contract is in several */
    Trials(ClassLoader loader, List<String> classes) {
        for (String name : classes) {
            Class<?> type;
            try {
                type = loader.loadClass(name);
            } catch (ClassNotFoundException missing) {
                throw new IllegalArgumentException(missing);
            }
            for (TestDescriptor test :
                    jupiter.find(List.of(DiscoverySelectors.selectClass(type))).getDescendants()) {
                if (test.getSource().orElse(null) instanceof MethodSource source) {
                    Method method = source.getJavaMethod();
                    tests.putIfAbsent(TestName.of(method), DiscoverySelectors.selectMethod(type, method));
                }
            }
        }
    }

    /** All tests there are, by contract. */
    Collection<TestName> all() {
        return tests.keySet();
    }

    /** The only word on a test that is red although nothing is planted. */
    void healthy(TestName test) {
        Catch red = run(List.of(test), () -> false);
        if (red != null) {
            throw new AssertionError("without any mutant, %s is red: %s".formatted(red.test(), red.what()));
        }
    }

    /**
     * Runs these tests until the first is red.
     *
     * @param isOver asked before each test: then the rest is left out
     */
    @Nullable
    Catch run(Collection<TestName> names, BooleanSupplier isOver) {
        List<DiscoverySelector> selectors = new ArrayList<>();
        for (TestName name : names) {
            DiscoverySelector selector = tests.get(name);
            if (selector != null) {
                selectors.add(selector);
            }
        }
        if (selectors.isEmpty()) {
            return null;
        }
        FirstRed first = new FirstRed(isOver);
        jupiter.run(selectors, first, first.token);
        return first.found;
    }

    private static final class FirstRed implements EngineExecutionListener {
        private final CancellationToken token = CancellationToken.create();
        private final BooleanSupplier isOver;
        private @Nullable Catch found;

        private FirstRed(BooleanSupplier isOver) {
            this.isOver = isOver;
        }

        @Override
        public void executionFinished(TestDescriptor test, TestExecutionResult result) {
            if (isOver.getAsBoolean()) {
                token.cancel();
            }
            if (result.getStatus() != TestExecutionResult.Status.FAILED || found != null) {
                return;
            }
            token.cancel();
            Throwable thrown = result.getThrowable().orElseThrow();
            TestName name = test.getSource().orElse(null) instanceof MethodSource source
                    ? TestName.of(source.getJavaMethod())
                    : new TestName(test.getDisplayName(), "all");
            String what = String.valueOf(thrown.getMessage()).strip().replaceAll("\\s+", " ");
            found = new Catch(name, way(thrown), what.substring(0, Math.min(what.length(), 150)));
        }

        private static Way way(Throwable thrown) {
            for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
                if (cause instanceof TimeoutException) {
                    return Way.HUNG;
                }
                // What PostgreSQL calls a syntax error or a violated rule of access, and SQLite an error of its logic.
                if (cause instanceof SQLException sql
                        && (String.valueOf(sql.getSQLState()).startsWith("42") || isOfSqlite(sql))) {
                    return Way.STILLBORN;
                }
            }
            return Way.RED;
        }

        private static boolean isOfSqlite(SQLException sql) {
            return sql.getErrorCode() == 1 && String.valueOf(sql.getMessage()).contains("SQLITE_ERROR");
        }
    }
}
