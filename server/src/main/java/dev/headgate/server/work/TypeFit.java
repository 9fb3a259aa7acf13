package dev.headgate.server.work;

import dev.headgate.internal.admission.ClaimPlan.Head;
import dev.headgate.internal.admission.JobFit;
import dev.headgate.internal.resource.PassedOver;
import java.util.Set;

/** Fits jobs of the types that a remote worker has handlers for; others are passed over and left to other workers. */
final class TypeFit implements JobFit {
    private final Set<String> types;
    private final PassedOver passedOver;

    TypeFit(Set<String> types, PassedOver passedOver) {
        this.types = types;
        this.passedOver = passedOver;
    }

    @Override
    public Trial trial() {
        return this::isKnown;
    }

    private boolean isKnown(Head head) {
        return types.contains(head.type());
    }

    @Override
    public int sight() {
        return passedOver.sight();
    }

    @Override
    public boolean hasPassed(long job) {
        return passedOver.hasPassed(job);
    }

    @Override
    public boolean hasPassedLane(String lane) {
        return passedOver.hasPassedLane(lane);
    }
}
