package dev.headgate.internal.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import dev.headgate.limit.Limit;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PolicyBookTest {
    private static PolicyBook book(String... names) {
        Map<GateKey, GatePolicy> stored = new HashMap<>();
        for (int i = 0; i < names.length; i++) {
            stored.put(GateKey.parse(names[i]), GatePolicy.of(Limit.concurrency(i + 1)));
        }
        return new PolicyBook(7, stored);
    }

    @ParameterizedTest
    @CsvSource({
        "gate:tenant:acme, concurrency 4", // the exact name
        "gate:tenant:ab, concurrency 3", // the longer pattern
        "gate:tenant:b, concurrency 2",
        "gate:tenant:, concurrency 2", // a star may stand for nothing
        "gate:tenant, concurrency 1",
        "gate:other, concurrency 1",
        "queue:tenant:acme, ''", // a queue is no gate
        "queue:mail, concurrency 5",
        "gate:tenant:acme2, concurrency 3"
    })
    void theMostSpecificPolicyDecides(String key, String policy) {
        PolicyBook book = book("gate:*", "gate:tenant:*", "gate:tenant:a*", "gate:tenant:acme", "queue:mail");
        assertThat(book.policyFor(GateKey.parse(key)).text()).isEqualTo(policy);
    }

    @Test
    void aStarInTheMiddleIsAnOrdinaryCharacter() {
        PolicyBook book = book("gate:a*b");
        assertThat(book.policyFor(GateKey.gate("a*b")).isOpen()).isFalse();
        assertThat(book.policyFor(GateKey.gate("axb")).isOpen()).isTrue();
    }

    @Test
    void aGateThatIsCalledLikeAPatternHasThatPolicy() {
        assertThat(book("gate:a*").policyFor(GateKey.gate("a*")).isOpen()).isFalse();
    }

    @Test
    void settingAndRemovingMakesNewBooks() {
        PolicyBook empty = PolicyBook.EMPTY;
        GateKey key = GateKey.queue("mail");
        PolicyBook set = empty.with(key, GatePolicy.of(Limit.budget(3)), 1);
        PolicyBook removed = set.with(key, GatePolicy.OPEN, 2);
        assertThat(empty.policyFor(key).isOpen()).isTrue();
        assertThat(set.policyFor(key).text()).isEqualTo("budget 3");
        assertThat(set.version()).isEqualTo(1);
        assertThat(removed.stored()).isEmpty();
        assertThat(removed.version()).isEqualTo(2);
    }

    @Test
    void keysAreReadBackAndOrderedWithQueuesFirst() {
        GateKey odd = GateKey.gate("a:b*'\uD83D\uDE80");
        assertThat(GateKey.parse(odd.text())).isEqualTo(odd);
        assertThat(GateKey.queue("z")).isLessThan(GateKey.gate("a"));
        assertThat(GateKey.gate("a")).isLessThan(GateKey.gate("b"));
    }
}
