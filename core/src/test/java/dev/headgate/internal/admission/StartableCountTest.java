package dev.headgate.internal.admission;

import static dev.headgate.internal.admission.Gates.gate;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class StartableCountTest {
    private static final long NOW = 1_000_000_000;
    private static final int GATES = 2_000;

    /** The search by halves must say what the starts themselves would have said. */
    @Test
    void aSumOfStartsFindsTheSameRoomAsStartAfterStart() {
        Random random = new Random(11);
        int full = 0;
        int part = 0;
        int never = 0;
        for (int i = 0; i < GATES; i++) {
            GateLedger gate = gate("a", limits(random));
            for (int taken = random.nextInt(30); taken > 0; taken--) {
                gate.take(new Waiter("x", 1, random.nextInt(4)), NOW);
            }
            if (random.nextInt(3) == 0) {
                gate.reserve(new Waiter("older", 1, random.nextInt(5)), NOW + 1_000);
            }
            Waiter asker = new Waiter("l", random.nextInt(3), random.nextInt(6));
            int max = random.nextInt(40);

            int room = StartableCount.counted(gate.trial(), asker, NOW, max);

            assertThat(room)
                    .as("%s, %s, %s, at most %d", gate.policy(), gate.state(), asker, max)
                    .isEqualTo(StartableCount.oneByOne(gate.trial(), asker, NOW, max));
            assertThat(gate.startableCount(asker, NOW, max)).isEqualTo(room);
            full += room == max ? 1 : 0;
            part += room > 0 && room < max ? 1 : 0;
            never += gate.next(asker, NOW) == GateLedger.NEVER ? 1 : 0;
        }
        assertThat(List.of(full, part, never)).as("all kinds were met").allMatch(count -> count > 20);
    }

    private static String limits(Random random) {
        String places = "concurrency " + (1 + random.nextInt(60));
        String units = "budget " + (1 + random.nextInt(random.nextBoolean() ? 5 : 120));
        return switch (random.nextInt(4)) {
            case 0 -> places;
            case 1 -> units;
            case 2 -> places + "; " + units;
            default -> "";
        };
    }
}
