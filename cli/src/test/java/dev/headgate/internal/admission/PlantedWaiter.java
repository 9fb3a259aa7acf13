package dev.headgate.internal.admission;

import java.util.concurrent.CountDownLatch;

/** A planted fault: admission that waits for another thread. */
public final class PlantedWaiter {
    final CountDownLatch opened = new CountDownLatch(1);
}
