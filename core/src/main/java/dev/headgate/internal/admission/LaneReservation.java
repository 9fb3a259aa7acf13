package dev.headgate.internal.admission;

import dev.headgate.internal.admission.GateState.Reservation;
import org.jspecify.annotations.Nullable;

/** What a gate reserves for one lane that several gates have bounced too often. */
final class LaneReservation {
    private @Nullable Reservation reservation;

    LaneReservation(@Nullable Reservation reservation) {
        this.reservation = reservation;
    }

    @Nullable
    Reservation reservation() {
        return reservation;
    }

    boolean isFor(String lane) {
        Reservation kept = reservation;
        return kept != null && kept.lane().equals(lane);
    }

    /** The oldest lane wins. Returns, like the methods below, whether anything has changed. */
    boolean reserve(Waiter passedOver, long until) {
        Reservation kept = reservation;
        boolean isWinner = kept == null || passedOver.rank() <= kept.rank() || isFor(passedOver.lane());
        if (isWinner) {
            reservation = new Reservation(passedOver.lane(), passedOver.rank(), passedOver.cost(), until);
        }
        return isWinner;
    }

    boolean drop(String lane) {
        boolean isDropped = isFor(lane);
        if (isDropped) {
            reservation = null;
        }
        return isDropped;
    }

    /** Ends a reservation whose job is no longer the head of its lane. */
    boolean dropFormer(Waiter head) {
        Reservation kept = reservation;
        return kept != null && kept.rank() != head.rank() && drop(head.lane());
    }

    void clear() {
        reservation = null;
    }
}
