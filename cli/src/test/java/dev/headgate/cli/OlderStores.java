package dev.headgate.cli;

import dev.headgate.spi.Backend;
import dev.headgate.spi.StoreProvider;
import dev.headgate.store.MigrationPlan;
import dev.headgate.store.MigrationPlan.Effect;
import dev.headgate.store.MigrationPlan.Progress;
import dev.headgate.store.MigrationPlan.Step;
import dev.headgate.store.StoreRefusedException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Stores of version 11 behind a program of version 12, so that commands have something to migrate: the first version of the tables has
 * no older one. What real stores do is in MigrationContract. A name that ends with {@code busy} has a worker that runs.
 */
public final class OlderStores implements StoreProvider {
    private static final List<Step> STEPS = List.of(
            new Step(12, "0012_next", Effect.NEW, "headgate_next", "create table headgate_next (\n    id bigint\n)"),
            new Step(
                    12,
                    "0012_next",
                    Effect.READS,
                    "headgate_job",
                    "create index headgate_job_next on headgate_job (type)"),
            new Step(
                    12,
                    "0012_next",
                    Effect.REWRITES,
                    "headgate_artifact",
                    "alter table headgate_artifact drop column at"),
            new Step(
                    12,
                    "0012_next",
                    Effect.DESCRIPTION,
                    "headgate_share",
                    "alter table headgate_share add column next bigint"),
            new Step(12, "0012_next", Effect.ROWS, "headgate_worker", "update headgate_worker set room = room"));

    private static final Map<String, Boolean> MIGRATED = new ConcurrentHashMap<>();

    @Override
    public String scheme() {
        return "older:";
    }

    @Override
    public MigrationPlan planMigration(String url) {
        return MIGRATED.containsKey(url)
                ? new MigrationPlan("Older " + url, 12, 12, List.of())
                : new MigrationPlan("Older " + url, 11, 12, STEPS);
    }

    @Override
    public MigrationPlan migrate(String url, boolean isForced, Consumer<Progress> listener) {
        if (url.endsWith("busy") && !isForced) {
            throw new StoreRefusedException("found 1: mail on host-1; stop them, or run 'headgate migrate --force'");
        }
        MigrationPlan plan = planMigration(url);
        for (int number = 1; number <= plan.steps().size(); number++) {
            listener.accept(new Progress(plan, number));
        }
        MIGRATED.put(url, true);
        return plan;
    }

    @Override
    public Backend open(String url) {
        migrate(url, false, step -> {});
        throw new UnsupportedOperationException("there is no such store");
    }

    @Override
    public Backend openToRead(String url, @Nullable String listenUrl) {
        throw new StoreRefusedException("found version 11; bring them up to date with 'headgate migrate'");
    }
}
