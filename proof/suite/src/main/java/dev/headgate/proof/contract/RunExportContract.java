package dev.headgate.proof.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.internal.json.JsonCodec;
import dev.headgate.proof.Rig;
import dev.headgate.proof.StoreFixture;
import dev.headgate.proof.WorkflowRig;
import dev.headgate.run.RunId;
import dev.headgate.run.RunStatus;
import dev.headgate.spi.EventRow;
import dev.headgate.spi.FrameTable.EventSpan;
import dev.headgate.workflow.Workflow;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A whole run, read set-wise: the cost of a timeline and of an export follows pages, not parts. */
public interface RunExportContract extends StoreFixture {
    record Crawl(List<Integer> pages, String name) {
        static Crawl of(int pages) {
            return new Crawl(IntStream.range(0, pages).boxed().toList(), "root");
        }
    }

    Workflow<Crawl, Crawl> SITE = Workflow.named("site", 1, Crawl.class)
            .then("keep", (crawl, step) -> {
                step.artifact("report", "report of " + crawl.name());
                return crawl;
            })
            .build();

    Workflow<Crawl, Crawl> SITES = Workflow.named("sites", 1, Crawl.class)
            .then("begin", (crawl, step) -> {
                step.artifact("report", "report of " + crawl.name());
                step.artifact("index", "all");
                return crawl;
            })
            .forEach("fetch", Crawl::pages, Integer.class, Integer.class, (page, step) -> page)
            .ignoringResults()
            .childForEach("site", SITE, crawl -> List.of(new Crawl(List.of(), "first"), new Crawl(List.of(), "second")))
            .ignoringResults()
            .build();

    private static RunId crawled(WorkflowRig play, int pages) {
        RunId id = play.workflows().start(SITES, Crawl.of(pages)).id();
        play.all();
        return id;
    }

    @Test
    default void aLargeRunIsReadWithAsManyStatementsAsASmallOne(Rig rig) {
        WorkflowRig play = new WorkflowRig(rig, "default").register(SITES);
        RunId small = crawled(play, 2);
        RunId large = crawled(play, 300);
        assertThat(statements(rig, large, play.workflows()::timeline))
                .as("timeline")
                .isEqualTo(statements(rig, small, play.workflows()::timeline));
        assertThat(statements(rig, large, play.workflows()::export))
                .as("export")
                .isEqualTo(statements(rig, small, play.workflows()::export));
    }

    private static long statements(Rig rig, RunId id, Consumer<RunId> read) {
        long before = rig.store().backend().statements();
        read.accept(id);
        return rig.store().backend().statements() - before;
    }

    /** More events than one page holds. */
    @Test
    default void aTimelineIsWholeAndInOrder(Rig rig) {
        Workflow<Crawl, Crawl> loops = Workflow.named("loops", 1, Crawl.class)
                .forEach("fetch", Crawl::pages, Integer.class, Integer.class, (page, step) -> page)
                .ignoringResults()
                .repeatWhile(
                        "more",
                        crawl -> crawl.name().length() < 24,
                        flow -> flow.then("one", (crawl, step) -> new Crawl(List.of(), crawl.name() + "x")))
                .build();
        WorkflowRig play = new WorkflowRig(rig, "default").register(loops);
        RunId id = play.workflows().start(loops, Crawl.of(1_200)).id();
        play.all();
        var events = play.workflows().timeline(id);
        Map<RunId, Long> last = new HashMap<>();
        events.forEach(event -> {
            long before = last.getOrDefault(event.part(), 0L);
            assertThat(event.number()).isEqualTo(before + 1);
            last.put(event.part(), event.number());
        });
        assertThat(events).hasSizeGreaterThan(2_000).isSortedAccordingTo((a, b) -> a.at().compareTo(b.at()));
        assertThat(last).hasSize(1_201);
        assertThat(last.get(id)).isGreaterThan(20);
        assertThat(play.workflows().tree(id).stream().map(RunStatus::id))
                .containsExactlyInAnyOrderElementsOf(last.keySet());
    }

    @Test
    default void eventsOfSeveralPartsAreReadByTheirNumbers(Rig rig) {
        WorkflowRig play = new WorkflowRig(rig, "default").register(SITES);
        RunId id = crawled(play, 2);
        RunId item = play.workflows().tree(id).get(1).id();
        List<EventRow> found = rig.store()
                .backend()
                .read(tx -> tx.frames()
                        .events(List.of(
                                new EventSpan(item.value(), 0, 1),
                                new EventSpan(id.value(), 1, 3),
                                new EventSpan(id.value() + 1_000, 0, 9))));
        assertThat(found.stream().map(row -> row.frame() + "/" + row.number()))
                .containsExactly(id + "/2", id + "/3", item + "/1");
        assertThat(rig.store().backend().<List<EventRow>>read(tx -> tx.frames().events(List.<EventSpan>of())))
                .isEmpty();
    }

    @Test
    default void anExportHasTheArtifactsOfEveryRunWhateverTheirNames(Rig rig) {
        WorkflowRig play = new WorkflowRig(rig, "default").register(SITES);
        RunId id = crawled(play, 1);
        Map<?, ?> export = new JsonCodec().read("export", play.workflows().export(id), Map.class);
        assertThat(export.get("artifacts")).isEqualTo(Map.of("report", "report of root", "index", "all"));
        List<?> parts = (List<?>) Objects.requireNonNull(export.get("parts"));
        assertThat(parts).hasSize(3);
        assertThat(parts.stream()
                        .map(part -> ((Map<?, ?>) part).get("artifacts"))
                        .filter(artifacts -> artifacts != null)
                        .toList())
                .isEqualTo(List.of(Map.of("report", "report of first"), Map.of("report", "report of second")));
    }
}
