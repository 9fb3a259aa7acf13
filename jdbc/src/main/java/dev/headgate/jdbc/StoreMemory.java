package dev.headgate.jdbc;

import dev.headgate.internal.admission.PolicyBook;
import java.util.concurrent.atomic.AtomicReference;

/** What a process remembers of a store between transactions, because it cannot become wrong or is found out if it is. */
public record StoreMemory(KnownGates gates, AtomicReference<PolicyBook> policies) {
    public static StoreMemory empty() {
        return new StoreMemory(new KnownGates(), new AtomicReference<>(PolicyBook.EMPTY));
    }
}
