package dev.headgate.proof;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.internal.evidence.Proof;
import dev.headgate.internal.evidence.StoredJournals;
import dev.headgate.internal.gate.StrandedLines;
import dev.headgate.limit.GateKey;
import dev.headgate.proof.conformance.Conformance;
import dev.headgate.testkit.VirtualTime;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Gives each test of a {@link StoreFixture} a rig of its own, and proves at its end that no gate has drifted and no journal is broken. */
final class RigPerTest implements ParameterResolver, AfterEachCallback {
    private static final Namespace OURS = Namespace.create(RigPerTest.class);

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Rig.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        VirtualTime time = new VirtualTime();
        StoreFixture fixture = (StoreFixture) context.getRequiredTestInstance();
        Rig rig = new Rig(fixture.open(time), time);
        boolean isConformance = Conformance.class.isAssignableFrom(
                context.getRequiredTestMethod().getDeclaringClass());
        if (isConformance && fixture instanceof Conformance cases) {
            rig.margin(cases.margin());
        }
        context.getStore(OURS).put(Rig.class, rig);
        return rig;
    }

    @Override
    public void afterEach(ExtensionContext context) {
        Rig rig = context.getStore(OURS).remove(Rig.class, Rig.class);
        if (rig == null) {
            return;
        }
        try (rig) {
            boolean hasPassed = context.getExecutionException().isEmpty();
            if (hasPassed) {
                assertThat(rig.store().recount())
                        .as("drift at the end of the test")
                        .isEmpty();
                assertThat(new StrandedLines(rig.store().backend()).find())
                        .as("lines at open gates that nothing would wake, at the end of the test")
                        .isEmpty();
                for (GateKey gate : rig.store().journalGates()) {
                    assertThat(Proof.of(gate, StoredJournals.of(rig.store().backend(), gate), null, null)
                                    .findings())
                            .as("what is wrong with the journal of %s, at the end of the test", gate)
                            .isEmpty();
                }
            }
        }
    }
}
