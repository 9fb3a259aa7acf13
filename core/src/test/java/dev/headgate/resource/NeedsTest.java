package dev.headgate.resource;

import static dev.headgate.resource.Needs.gb;
import static dev.headgate.resource.Needs.mb;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headgate.internal.resource.Estimate;
import dev.headgate.internal.resource.Profile;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NeedsTest {
    @Test
    void theyAddUpAndReadAloud() {
        Needs needs = Needs.memory(mb(256)).and("gpu", 1).and(Needs.cpu(2)).and(Needs.memory(gb(1)));
        assertThat(needs).hasToString("cpu 2 cores, gpu 1, memory 1,280 MB");
        assertThat(Needs.parse(needs.text())).isEqualTo(needs);
        assertThat(Needs.parse("")).isEqualTo(Needs.NONE).hasToString("nothing");
        assertThat(Needs.cpuMillis(250)).hasToString("cpu 250 thousandths of a core");
    }

    @Test
    void nonsenseIsRefused() {
        assertThatThrownBy(() -> Needs.memory(-1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("need of 'memory': expected a positive amount, got -1");
        assertThatThrownBy(() -> Needs.of("a b", 1))
                .hasMessageContaining("resource: expected a name of 1 to 64 letters");
        assertThatThrownBy(() -> Headroom.system().amount("gpu", 0))
                .hasMessageContaining("gpu: expected a positive amount, got 0");
        assertThatThrownBy(() -> Headroom.system().gauge("memory", () -> 1))
                .hasMessageContaining("resource 'memory': expected a name that is not taken");
        assertThatThrownBy(() -> Headroom.system().margin(-1)).hasMessageContaining("margin: expected zero or more");
    }

    @Test
    void whatIsMeasuredFillsTheGapsOfWhatIsDeclared() {
        Profile profile = new Profile();
        for (int i = 0; i < Profile.SAMPLES_MIN; i++) {
            profile.took(1_000);
            profile.used(mb(10));
        }
        Estimate measured = Estimate.of(Needs.of("gpu", 1), null, profile, Needs.NONE);
        assertThat(measured.needs().of("gpu")).isEqualTo(1);
        assertThat(measured.needs().of(Needs.MEMORY)).isBetween(mb(12), mb(15));
        assertThat(measured.isMemoryMeasured()).isTrue();
        Estimate declared = Estimate.of(Needs.memory(mb(99)), 7L, profile, Needs.NONE);
        assertThat(declared.needs()).isEqualTo(Needs.memory(mb(99)));
        assertThat(declared.micros()).isEqualTo(7);
        assertThat(Estimate.of(Needs.NONE, null, null, Needs.memory(5)).needs()).isEqualTo(Needs.memory(5));
    }

    @Test
    void aWorkersRoomComesBackFromItsTextAndIsToldAgainOnlyIfItMoved() {
        Capacity room = new Capacity(
                Map.of("memory", new Capacity.Level(1600, 800), "gpu", new Capacity.Level(2, 1)), Map.of());
        assertThat(Capacity.parse(room.text())).isEqualTo(room);
        assertThat(room.lacking(Needs.memory(801), false)).isEqualTo("memory");
        assertThat(room.lacking(Needs.memory(801), true)).isNull();
        assertThat(room.lacking(Needs.of("tpu", 1), true)).isEqualTo("tpu");
        assertThat(room.isLike(Capacity.parse("memory=1650/760 gpu=2/1"))).isTrue();
        assertThat(room.isLike(Capacity.parse("memory=1600/800 gpu=2/2"))).isFalse();
        assertThat(room.isLike(Capacity.UNTOLD)).isFalse();
    }
}
