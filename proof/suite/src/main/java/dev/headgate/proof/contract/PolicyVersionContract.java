package dev.headgate.proof.contract;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headgate.internal.policy.PolicyRequest;
import dev.headgate.internal.policy.PolicyStore;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import dev.headgate.policy.PolicyChange;
import dev.headgate.policy.PolicyChange.Kind;
import dev.headgate.policy.PolicyConflictException;
import dev.headgate.policy.PolicyEdit;
import dev.headgate.policy.PolicyEntry;
import dev.headgate.policy.PolicyVersion;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.proof.StoreFixture;
import dev.headgate.testkit.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Every change of policies is a version with its author, reason and time, and any version can be restored. */
public interface PolicyVersionContract extends StoreFixture {
    private static GatePolicy limits(String text) {
        return GatePolicy.parse(text);
    }

    private static List<PolicyChange> change(Rig rig, String key, PolicyEdit edit) {
        return rig.store().changePolicies(PolicyRequest.of(Rig.key(key), edit, "ada", "a test"));
    }

    private static List<PolicyVersion> history(Rig rig) {
        return rig.store().policyStore().history(Long.MAX_VALUE, 100);
    }

    private static String stored(Rig rig, String key) {
        return rig.store().policies().entry(Rig.key(key)).text();
    }

    @Test
    default void everyChangeIsAVersion(Rig rig) {
        rig.policy("gate a", "concurrency 3");
        rig.advance(Duration.ofMinutes(5));
        change(rig, "gate a", new PolicyEdit.Replace(limits("concurrency 4; rate 7/1h30m burst 2")));
        change(rig, "gate a", new PolicyEdit.Remove());
        List<PolicyVersion> versions = history(rig);
        assertThat(versions).extracting(PolicyVersion::version).containsExactly(3L, 2L, 1L);
        assertThat(versions.get(1))
                .isEqualTo(new PolicyVersion(
                        2,
                        VirtualTime.START.plus(Duration.ofMinutes(5)),
                        "ada",
                        "a test",
                        List.of(new PolicyChange(
                                GateKey.gate("a"),
                                Kind.SET,
                                new PolicyEntry(limits("concurrency 3"), null),
                                new PolicyEntry(limits("concurrency 4; rate 7/1h30m burst 2"), null)))));
        assertThat(versions.get(2).author()).isEqualTo("program");
        assertThat(versions.getFirst().changes().getFirst().kind()).isEqualTo(Kind.REMOVE);
        assertThat(rig.store().policyStore().history(3, 1))
                .extracting(PolicyVersion::version)
                .containsExactly(2L);
        assertThat(rig.store().policyStore().history(Long.MAX_VALUE, 2)).hasSize(2);
    }

    @Test
    default void aChangeThatChangesNothingIsNoVersion(Rig rig) {
        rig.policy("gate a", "concurrency 3");
        assertThat(change(rig, "gate a", new PolicyEdit.Replace(limits("concurrency 3"))))
                .isEmpty();
        assertThat(change(rig, "gate b", new PolicyEdit.Remove())).isEmpty();
        assertThat(change(rig, "gate a", new PolicyEdit.EndOverride())).isEmpty();
        assertThat(rig.store().policies().version()).isEqualTo(1);
    }

    @Test
    default void severalEditsAreOneVersionOrNone(Rig rig) {
        rig.policy("gate b", "concurrency 1");
        Map<GateKey, PolicyEdit> edits = new TreeMap<>(Map.of(
                GateKey.queue("mail"), new PolicyEdit.Replace(limits("concurrency 2")),
                GateKey.gate("a"), new PolicyEdit.Replace(limits("concurrency 3")),
                GateKey.gate("b"), new PolicyEdit.Remove()));
        rig.store().changePolicies(new PolicyRequest(new TreeMap<>(edits), "ada", ""));
        assertThat(rig.store().policies().version()).isEqualTo(2);
        assertThat(history(rig).getFirst().changes())
                .extracting(PolicyChange::key)
                .containsExactly(GateKey.queue("mail"), GateKey.gate("a"), GateKey.gate("b"));
        edits.put(GateKey.gate("c"), new PolicyEdit.Replace(limits("concurrency 9")));
        edits.put(GateKey.gate("a"), new PolicyEdit.Declare(limits("concurrency 8")));
        assertThatThrownBy(() -> rig.store().changePolicies(new PolicyRequest(new TreeMap<>(edits), "ada", "")))
                .isInstanceOf(PolicyConflictException.class);
        assertThat(stored(rig, "gate c")).isEmpty();
        assertThat(rig.store().policies().version()).isEqualTo(2);
    }

    @Test
    default void aDeclarationIsStoredOnceAndNeverReplacesWhatDiffers(Rig rig) {
        PolicyEdit declared = new PolicyEdit.Declare(limits("concurrency 3"));
        assertThat(change(rig, "gate a", declared)).hasSize(1);
        assertThat(change(rig, "gate a", declared)).isEmpty();
        change(rig, "gate a", new PolicyEdit.Replace(limits("concurrency 1")));
        assertThatThrownBy(() -> change(rig, "gate a", declared))
                .isInstanceOfSatisfying(PolicyConflictException.class, conflict -> {
                    assertThat(conflict.key()).isEqualTo(GateKey.gate("a"));
                    assertThat(conflict.declared()).isEqualTo("concurrency 3");
                    assertThat(conflict.stored()).isEqualTo("concurrency 1");
                    assertThat(conflict.version()).isEqualTo(2);
                })
                .hasMessageContainingAll(
                        "the program declares 'concurrency 3', but 'concurrency 1' is stored", "by ada", "a test");
        assertThat(stored(rig, "gate a")).isEqualTo("concurrency 1");
    }

    @Test
    default void whatSomebodyRemovedIsNotDeclaredAgain(Rig rig) {
        change(rig, "gate a", new PolicyEdit.Declare(limits("concurrency 3")));
        change(rig, "gate a", new PolicyEdit.Remove());
        change(rig, "gate a", new PolicyEdit.OverrideFor(limits("concurrency 1"), Duration.ofMinutes(1)));
        change(rig, "gate a", new PolicyEdit.EndOverride());
        assertThatThrownBy(() -> change(rig, "gate a", new PolicyEdit.Declare(limits("concurrency 3"))))
                .isInstanceOf(PolicyConflictException.class)
                .hasMessageContaining("its policy was removed (version 2, by ada");
        assertThat(change(rig, "gate a", new PolicyEdit.Suggest(limits("concurrency 3"))))
                .isEmpty();
        assertThat(change(rig, "gate a", new PolicyEdit.Replace(limits("concurrency 3"))))
                .hasSize(1);
    }

    @Test
    default void aSuggestionStandsBackForWhatIsStored(Rig rig) {
        assertThat(change(rig, "gate a", new PolicyEdit.Suggest(limits("concurrency 3"))))
                .hasSize(1);
        assertThat(change(rig, "gate a", new PolicyEdit.Suggest(limits("concurrency 5"))))
                .isEmpty();
        assertThat(stored(rig, "gate a")).isEqualTo("concurrency 3");
    }

    @Test
    default void undoTakesTheLatestChangeBackAndIsAChangeItself(Rig rig) {
        PolicyStore policies = rig.store().policyStore();
        rig.policy("gate a", "concurrency 1").policy("gate a", "concurrency 2");
        policies.undo(null, "bob", "");
        assertThat(stored(rig, "gate a")).isEqualTo("concurrency 1");
        policies.undo(null, "bob", "");
        assertThat(stored(rig, "gate a")).isEqualTo("concurrency 2");
        PolicyVersion latest = history(rig).getFirst();
        assertThat(latest.version()).isEqualTo(4);
        assertThat(latest.author()).isEqualTo("bob");
        assertThat(latest.reason()).isEqualTo("back to version 2");
        assertThat(latest.changes().getFirst().kind()).isEqualTo(Kind.UNDO);
    }

    @Test
    default void anyVersionCanBeRestoredExactly(Rig rig) {
        PolicyStore policies = rig.store().policyStore();
        rig.policy("gate a", "concurrency 1")
                .policy("gate b", "rate 5/1s burst 2")
                .policy("queue mail", "budget 7")
                .policy("gate a", "concurrency 9")
                .policy("gate b", "")
                .policy("gate c", "concurrency 4");
        policies.undo(3L, "bob", "back to what worked");
        assertThat(rig.store().policies().stored())
                .isEqualTo(Map.of(
                        GateKey.gate("a"), limits("concurrency 1"),
                        GateKey.gate("b"), limits("rate 5/1s burst 2"),
                        GateKey.queue("mail"), limits("budget 7")));
        policies.undo(0L, "bob", "");
        assertThat(rig.store().policies().stored()).isEmpty();
        assertThatThrownBy(() -> policies.undo(8L, "bob", ""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected a version from 0 to 7, got 8");
    }

    @Test
    default void undoOfNothingIsRefused(Rig rig) {
        assertThatThrownBy(() -> rig.store().policyStore().undo(null, "bob", ""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no policy was ever stored");
    }

    @Test
    default void anUndoneLimitMovesTheLineAtOnce(Rig rig) {
        rig.policy("gate a", "concurrency 5").policy("gate a", "concurrency 1");
        rig.enqueue(9, job("mail").gate("a"));
        ScriptedWorker worker = rig.worker("mail");
        assertThat(worker.claim(9)).hasSize(1);
        assertThat(worker.claim(9)).isEmpty();
        rig.store().policyStore().undo(null, "bob", "");
        assertThat(worker.claim(9)).hasSize(4);
    }

    @Test
    default void authorAndReasonAreKeptAsTheyAreOrRefused(Rig rig) {
        String odd = "O'Brien; drop table 'x' -- 🚦";
        rig.store()
                .changePolicies(PolicyRequest.of(
                        GateKey.gate("a"), new PolicyEdit.Replace(limits("concurrency 1")), odd, "line\none"));
        assertThat(history(rig).getFirst().author()).isEqualTo(odd);
        assertThat(history(rig).getFirst().reason()).isEqualTo("line\none");
        PolicyEdit edit = new PolicyEdit.Remove();
        assertThatThrownBy(() -> PolicyRequest.of(GateKey.gate("a"), edit, " ", ""))
                .hasMessageContaining("author: expected a name");
        assertThatThrownBy(() -> PolicyRequest.of(GateKey.gate("a"), edit, "ada", "x".repeat(1001)))
                .hasMessageContaining("reason: expected at most 1000 characters, got 1001");
    }
}
