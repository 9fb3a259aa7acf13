package dev.headgate.internal.resource;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.resource.TypeFigures;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DigestTest {
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void aPercentileIsNeverBelowTheTruthAndAtMostAnEighthAbove(long seed) {
        Random random = new Random(seed);
        long[] values = new long[400];
        Digest digest = new Digest();
        for (int i = 0; i < values.length; i++) {
            values[i] = random.nextLong(1L << random.nextInt(1, 50));
            digest.add(values[i]);
        }
        Arrays.sort(values);
        for (int percent : new int[] {1, 50, 95, 100}) {
            long exact = values[(values.length * percent + 99) / 100 - 1];
            assertThat(digest.percentile(percent)).isBetween(exact, exact + exact / 8 + 1);
        }
    }

    @Test
    void whatWasLongAgoFades() {
        Digest digest = new Digest();
        for (int i = 0; i < Digest.WEIGHT_MAX; i++) {
            digest.add(1_000_000);
        }
        for (int i = 0; i < 10 * Digest.WEIGHT_MAX; i++) {
            digest.add(1_000);
        }
        assertThat(digest.weight()).isBetween(Digest.WEIGHT_MAX / 2, Digest.WEIGHT_MAX);
        assertThat(digest.percentile(95)).isLessThan(1_200);
    }

    @Test
    void itComesBackFromItsTextAsItWas() {
        Digest digest = new Digest();
        for (long value : new long[] {0, 1, 15, 16, 17, 1 << 20, Long.MAX_VALUE, -5}) {
            digest.add(value);
        }
        assertThat(Digest.parse(digest.text())).isEqualTo(digest);
        assertThat(Digest.parse("").weight()).isZero();
        assertThat(digest.percentile(100)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void addingTwoIsTheSameAsCountingBoth() {
        Digest one = new Digest();
        Digest two = new Digest();
        Digest both = new Digest();
        for (int i = 0; i < 200; i++) {
            (i % 3 == 0 ? one : two).add(i * 37L);
            both.add(i * 37L);
        }
        one.add(two);
        assertThat(one).isEqualTo(both);
    }

    @Test
    void fewRunsSayNothing() {
        Profile profile = new Profile();
        for (int i = 1; i < Profile.SAMPLES_MIN; i++) {
            profile.took(7);
        }
        assertThat(profile.micros()).isNull();
        assertThat(profile.memory()).isNull();
        profile.took(7);
        assertThat(profile.micros()).isEqualTo(7);
        assertThat(Profile.parse(profile.text()).text()).isEqualTo(profile.text());
    }

    /** Those that take the most may all come together. */
    @Test
    void theMostCountsAndDoesNotFallQuickly() {
        Profile profile = new Profile();
        profile.used(15);
        for (int i = 0; i < 400; i++) {
            profile.used(3);
        }
        assertThat(profile.memory()).isEqualTo(new TypeFigures.Memory(15, 401));
        assertThat(Profile.parse(profile.text()).memory()).isEqualTo(profile.memory());
    }

    @Test
    void aProfileOfAnEarlierVersionIsRead() {
        assertThat(Profile.parse("7:5|3:9|4:2").memory()).isEqualTo(new TypeFigures.Memory(3, 9));
    }
}
