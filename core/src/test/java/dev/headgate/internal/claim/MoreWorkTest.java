package dev.headgate.internal.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.internal.claim.MoreWork.Reason;
import org.junit.jupiter.api.Test;

class MoreWorkTest {
    @Test
    void itNamesItsReasons() {
        MoreWork more = new MoreWork();
        more.addIf(false, Reason.NOT_JUDGED);
        assertThat(more.isAny()).isFalse();
        more.addIf(true, Reason.FREED);
        more.addIf(true, Reason.ARRIVALS_LEFT);
        assertThat(more.isAny()).isTrue();
        assertThat(more).hasToString("[ARRIVALS_LEFT, FREED]");
    }
}
