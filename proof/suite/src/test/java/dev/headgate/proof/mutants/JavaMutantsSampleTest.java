package dev.headgate.proof.mutants;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.internal.admission.ClaimPlan;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Changed code: some mutants with every build, all of them with {@code ./check mutants --java}. */
@Timeout(value = 6, unit = TimeUnit.HOURS)
class JavaMutantsSampleTest {
    private static final int SAMPLE = 150;
    private static final Duration SAMPLE_TIME = Duration.ofSeconds(30);

    private final Path core = output(ClaimPlan.class);
    private final Path testkit = output(JavaMutantsSampleTest.class);
    private final JavaMutants mutants = new JavaMutants(
            new Areas(),
            core.resolve("classes"),
            List.of(core.resolve("test-classes"), testkit.resolve("test-classes")),
            Path.of("src/test/resources/javamutants"),
            testkit.resolve("java-survivors.txt"));

    @Test
    void noChangeIsMissedThatWasCaughtBefore() {
        String only = System.getProperty("javamutants.only", "");
        Duration most = Duration.ofMinutes(Long.getLong("javamutants.minutes", 300));
        List<JavaMutant> missed =
                switch (System.getProperty("javamutants", "sample")) {
                    case "record" -> mutants.all(only, true, most);
                    case "all" -> mutants.all(only, false, most);
                    default -> mutants.sample(SAMPLE, SAMPLE_TIME);
                };
        assertThat(missed)
                .as("write a test that notices, or say in redundant.txt why nothing can")
                .isEmpty();
    }

    /** Records of code that has changed are void: without new ones the sample would try less and less, and be green. */
    @Test
    void enoughIsKnownForASample() {
        assertThat(mutants.known())
                .as("known in caught.txt; run ./check mutants --java record")
                .isGreaterThanOrEqualTo(SAMPLE);
    }

    @Test
    void whatIsListedAsRedundantIsStillThere() {
        assertThat(mutants.strays()).as("listed in redundant.txt, in no class").isEmpty();
    }

    /** The folder of the build output of a module: a class of it stands in a folder or in a jar there. */
    private static Path output(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .getParent();
        } catch (URISyntaxException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
