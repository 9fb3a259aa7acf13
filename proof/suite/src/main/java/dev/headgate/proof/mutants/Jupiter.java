package dev.headgate.proof.mutants;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import org.junit.platform.engine.CancellationToken;
import org.junit.platform.engine.ConfigurationParameters;
import org.junit.platform.engine.DiscoveryFilter;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.EngineDiscoveryRequest;
import org.junit.platform.engine.EngineExecutionListener;
import org.junit.platform.engine.ExecutionRequest;
import org.junit.platform.engine.OutputDirectoryCreator;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestEngine;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.support.store.Namespace;
import org.junit.platform.engine.support.store.NamespacedHierarchicalStore;

/**
 * The engine that runs the tests of this build, asked directly: test classes of another class loader, in this process, beside the run
 * that this is a test of.
 */
final class Jupiter {
    /** A test that takes longer hangs. Its thread may go on in circles; the next test begins. */
    private static final Map<String, String> LIMITS = Map.of(
            "junit.jupiter.execution.timeout.default", "20 s",
            "junit.jupiter.execution.timeout.thread.mode.default", "SEPARATE_THREAD",
            "junit.jupiter.execution.timeout.threaddump.enabled", "false");

    private final TestEngine engine = ServiceLoader.load(TestEngine.class).stream()
            .map(ServiceLoader.Provider::get)
            .filter(found -> found.getId().equals("junit-jupiter"))
            .findFirst()
            .orElseThrow(() -> new IllegalStateException("expected the engine of JUnit Jupiter, found none"));

    /** What is selected, as a tree. */
    TestDescriptor find(List<? extends DiscoverySelector> selectors) {
        return engine.discover(new Wish(selectors), UniqueId.forEngine(engine.getId()));
    }

    void run(List<? extends DiscoverySelector> selectors, EngineExecutionListener listener, CancellationToken token) {
        Wish wish = new Wish(selectors);
        TestDescriptor root = engine.discover(wish, UniqueId.forEngine(engine.getId()));
        try (var session = new NamespacedHierarchicalStore<Namespace>(null);
                var own = session.newChild()) {
            engine.execute(ExecutionRequest.create(
                    root, listener, wish.getConfigurationParameters(), wish.getOutputDirectoryCreator(), own, token));
        }
    }

    private record Wish(List<? extends DiscoverySelector> selectors) implements EngineDiscoveryRequest {
        @Override
        public <T extends DiscoverySelector> List<T> getSelectorsByType(Class<T> type) {
            return selectors.stream().filter(type::isInstance).map(type::cast).toList();
        }

        @Override
        public <T extends DiscoveryFilter<?>> List<T> getFiltersByType(Class<T> type) {
            return List.of();
        }

        @Override
        public ConfigurationParameters getConfigurationParameters() {
            return new Settings();
        }

        @Override
        public OutputDirectoryCreator getOutputDirectoryCreator() {
            return new NoOutput();
        }
    }

    /** Tests of stores write no files for reports. */
    private static final class NoOutput implements OutputDirectoryCreator {
        @Override
        public Path getRootDirectory() {
            throw new UnsupportedOperationException("no test of a store writes a file for reports");
        }

        @Override
        public Path createOutputDirectory(TestDescriptor test) {
            return getRootDirectory();
        }
    }

    private static final class Settings implements ConfigurationParameters {
        @Override
        public Optional<String> get(String key) {
            return Optional.ofNullable(LIMITS.get(key));
        }

        @Override
        public Optional<Boolean> getBoolean(String key) {
            return get(key).map(Boolean::parseBoolean);
        }

        @Override
        public Set<String> keySet() {
            return LIMITS.keySet();
        }
    }
}
