package dev.headgate.proof.mutants;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Constructor;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.MethodInsnNode;

/** Which changes are found in code, and that each changes what the code does. */
class WeaverTest {
    private static final long STEPS_MAX = 1000;
    private static final int NONE = -1_000_000;

    private final Weaver weaver = new Weaver();
    private final Supplier<String> specimen = specimen();

    private Supplier<String> specimen() {
        try {
            Path classes = Path.of(WeaverTest.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            ClassLoader loader = new WovenLoader(classes, List.of(), weaver, Specimen.class.getName()::equals);
            Constructor<?> made = loader.loadClass(Specimen.class.getName()).getDeclaredConstructor();
            made.setAccessible(true);
            @SuppressWarnings("unchecked")
            Supplier<String> loaded = (Supplier<String>) made.newInstance();
            return loaded;
        } catch (ReflectiveOperationException | URISyntaxException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @AfterEach
    void plantNothing() {
        Switch.end();
    }

    private String answer(int mutant) {
        Switch.begin(mutant, weaver.mutants().size(), STEPS_MAX);
        return specimen.get();
    }

    @Test
    void eachMutatorFindsItsPlaces() {
        assertThat(weaver.mutants())
                .extracting(JavaMutant::name)
                .filteredOn(name -> !name.contains(".get ") && !name.contains(".see ") && !name.contains(".new "))
                .containsExactly(
                        "proof.mutants.Specimen.less negate-condition#1",
                        "proof.mutants.Specimen.less shift-boundary#1",
                        "proof.mutants.Specimen.less return-zero#1",
                        "proof.mutants.Specimen.less return-true#1",
                        "proof.mutants.Specimen.isNothing negate-condition#1",
                        "proof.mutants.Specimen.isNothing return-zero#1",
                        "proof.mutants.Specimen.isNothing return-true#1",
                        "proof.mutants.Specimen.sum swap-arithmetic#1",
                        "proof.mutants.Specimen.sum return-zero#1",
                        "proof.mutants.Specimen.half increment#1",
                        "proof.mutants.Specimen.half swap-arithmetic#1",
                        "proof.mutants.Specimen.half return-zero#1",
                        "proof.mutants.Specimen.smaller swap-arithmetic#1",
                        "proof.mutants.Specimen.smaller return-zero#1",
                        "proof.mutants.Specimen.count negate-condition#1",
                        "proof.mutants.Specimen.count shift-boundary#1",
                        "proof.mutants.Specimen.count increment#1",
                        "proof.mutants.Specimen.count return-zero#1",
                        "proof.mutants.Specimen.small increment#1",
                        "proof.mutants.Specimen.small increment#2",
                        "proof.mutants.Specimen.small negate-condition#1",
                        "proof.mutants.Specimen.small shift-boundary#1",
                        "proof.mutants.Specimen.small return-zero#1",
                        "proof.mutants.Specimen.names return-zero#1");
    }

    @Test
    void eachChangeChangesWhatTheCodeDoes() {
        String healthy = new Specimen().get();
        assertThat(answer(NONE)).isEqualTo(healthy);
        for (int index = 0; index < weaver.mutants().size(); index++) {
            JavaMutant mutant = weaver.mutants().get(index);
            // 2 is still not above 10, nor above 11; and a limit may be shifted where nothing stands on it.
            if (List.of("less", "isNothing", "sum", "half", "smaller", "names").contains(mutant.method())) {
                assertThat(answer(index)).as(mutant.name()).isNotEqualTo(healthy);
            }
        }
    }

    @Test
    void codeThatRunsInCirclesIsEndedAfterSoManySteps() {
        List<String> names = weaver.mutants().stream().map(JavaMutant::name).toList();
        assertThatThrownBy(() -> answer(names.indexOf("proof.mutants.Specimen.count increment#1")))
                .hasCauseInstanceOf(TimeoutException.class);
    }

    @Test
    void aPlaceThatIsReachedIsKnown() {
        Switch.begin(weaver.mutants().size());
        assertThat(specimen.get()).isNotEmpty();
        for (JavaMutant mutant : weaver.mutants()) {
            assertThat(Switch.reached().get(mutant.site())).as(mutant.name()).isTrue();
        }
        assertThat(Switch.steps()).isPositive();
    }

    /** Or a new name would void all that is known of the mutants of a method. */
    @Test
    void whatThisProjectCallsItsCodeDoesNotCountAsCode() {
        assertThat(word("dev/headgate/a/Gate", "open", "(Ldev/headgate/a/Gate;J)V"))
                .isEqualTo(word("dev/headgate/b/Door", "unlock", "(Ldev/headgate/b/Door;J)V"))
                .isNotEqualTo(word("dev/headgate/a/Gate", "open", "(Ldev/headgate/a/Gate;I)V"));
        assertThat(word("java/lang/Math", "min", "(II)I")).isNotEqualTo(word("java/lang/Math", "max", "(II)I"));
    }

    private static String word(String owner, String name, String descriptor) {
        return Weaver.word(new MethodInsnNode(Opcodes.INVOKEVIRTUAL, owner, name, descriptor));
    }
}
