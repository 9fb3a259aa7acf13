package dev.headgate.internal.limiter;

import dev.headgate.internal.admission.Start;
import dev.headgate.internal.json.JsonWriter;
import dev.headgate.internal.limiter.PermitStore.Part;
import dev.headgate.internal.time.Micros;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.Margin;
import dev.headgate.spi.PermitRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A permit that a program elsewhere asked for, as it is stored.
 *
 * @param asked what it was asked for with: the same request must ask for the same
 * @param margin the most microseconds from the grant to the call; 0 if there is no bound
 * @param settled what it really cost; absent if that was not told
 */
record RequestedPermit(
        long id,
        String request,
        String asked,
        long grantedAt,
        long endsAt,
        long margin,
        List<Part> parts,
        @Nullable Long settled,
        boolean isRejected,
        boolean isClosed) {
    RequestedPermit {
        parts = List.copyOf(parts);
    }

    boolean isOpen(long now) {
        return !isClosed && now < endsAt;
    }

    boolean isMarginOver(long now) {
        return now - grantedAt >= margin;
    }

    RequestedPermit settledAs(long actual) {
        List<Part> all = parts.stream().map(part -> part.settled(actual)).toList();
        return new RequestedPermit(id, request, asked, grantedAt, endsAt, margin, all, actual, isRejected, isClosed);
    }

    RequestedPermit rejected() {
        return new RequestedPermit(id, request, asked, grantedAt, endsAt, margin, parts, settled, true, isClosed);
    }

    RequestedPermit until(long end) {
        return new RequestedPermit(id, request, asked, grantedAt, end, margin, parts, settled, isRejected, isClosed);
    }

    RequestedPermit closed(long until) {
        return new RequestedPermit(id, request, asked, grantedAt, until, margin, parts, settled, isRejected, true);
    }

    RequestedPermits.Held held(long now) {
        Duration startWithin =
                margin == 0 ? null : Micros.duration(Math.max(0, Margin.startAllowance(margin) - (now - grantedAt)));
        return new RequestedPermits.Held(
                id, PermitStore.keys(parts), Micros.instant(endsAt), startWithin, settled, isOpen(now));
    }

    PermitRow row() {
        JsonWriter state = JsonWriter.object()
                .put("asked", asked)
                .put("grantedAt", grantedAt)
                .put("margin", margin)
                .put("settled", settled)
                .put("rejected", isRejected)
                .put("closed", isClosed)
                .put(
                        "gates",
                        parts.stream()
                                .map(part -> JsonWriter.object()
                                        .put("key", part.gate().text())
                                        .put("units", part.units())
                                        .put("charged", part.charged())
                                        .put("holding", part.isHolding())
                                        .put("start", part.start().at()))
                                .toList());
        return new PermitRow(id, request, endsAt, state.toString());
    }

    static RequestedPermit of(PermitRow row) {
        JsonNode state = JsonWriter.read(row.state());
        if (state == null) {
            throw new IllegalStateException(
                    "permit %d: expected JSON in the store, found something else".formatted(row.id()));
        }
        long margin = state.path("margin").asLong();
        List<Part> parts = new ArrayList<>();
        for (JsonNode gate : state.path("gates")) {
            parts.add(new Part(
                    GateKey.parse(gate.path("key").asString()),
                    row.id(),
                    gate.path("units").asLong(),
                    gate.path("charged").asLong(),
                    gate.path("holding").asBoolean(),
                    new Start(gate.path("start").asLong(), margin)));
        }
        JsonNode settled = state.path("settled");
        return new RequestedPermit(
                row.id(),
                row.request(),
                state.path("asked").asString(),
                state.path("grantedAt").asLong(),
                row.endsAt(),
                margin,
                parts,
                settled.isNumber() ? Long.valueOf(settled.asLong()) : null,
                state.path("rejected").asBoolean(),
                state.path("closed").asBoolean());
    }
}
