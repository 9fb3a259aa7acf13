package dev.headgate.jdbc;

import dev.headgate.admission.GateKey;
import dev.headgate.admission.PolicyBook;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;

/** What a process may remember of a store between transactions, because it cannot become wrong. */
public record StoreMemory(Set<GateKey> knownGates, AtomicReference<PolicyBook> policies) {
    public static StoreMemory empty() {
        return new StoreMemory(ConcurrentHashMap.newKeySet(), new AtomicReference<>(PolicyBook.EMPTY));
    }
}
