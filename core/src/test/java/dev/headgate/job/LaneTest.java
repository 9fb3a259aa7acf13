package dev.headgate.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LaneTest {
    @Test
    void theOrderOfGatesAndRepeatedOnesDoNotMatter() {
        assertThat(new Lane("q", List.of("b", "a", "b"))).isEqualTo(new Lane("q", List.of("a", "b")));
        assertThat(new Lane("q", List.of("b", "a")).id()).isEqualTo(new Lane("q", List.of("a", "b")).id());
    }

    @Test
    void noChoiceOfNamesMakesTwoLanesAlike() {
        List<Lane> lanes = List.of(
                new Lane("a", List.of()),
                new Lane("a", List.of("b")),
                new Lane("ab", List.of()),
                new Lane("a", List.of("b", "c")),
                new Lane("a", List.of("bc")),
                new Lane("a", List.of("b,c")),
                new Lane("b", List.of("a")),
                new Lane("aa", List.of("b")));
        Set<String> ids = new HashSet<>();
        lanes.forEach(lane -> ids.add(lane.id()));
        assertThat(ids).hasSize(lanes.size());
        assertThat(ids).allMatch(id -> id.matches("[A-Za-z0-9_-]{22}|q:.*"));
    }

    @Test
    void anIdStaysTheSameForEver() {
        // Stored in rows: a change of this value needs a migration.
        assertThat(new Lane("mail", List.of("tenant:acme", "openai")).id()).isEqualTo("n7nH0UMKMINb-Xa-wed9mg");
        assertThat(new Lane("mail", List.of()).id()).isEqualTo("q:mail");
    }

    @Test
    void sixteenGatesAreTheMost() {
        List<String> many = IntStream.range(0, 17).mapToObj(i -> "g" + i).toList();
        assertThat(new Lane("q", many.subList(0, 16)).gates()).hasSize(16);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Lane("q", many))
                .withMessageContaining("at most 16 gates on one job, got 17");
    }
}
