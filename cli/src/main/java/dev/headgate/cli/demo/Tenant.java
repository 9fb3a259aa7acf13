package dev.headgate.cli.demo;

import java.util.List;

/**
 * One customer of the demo.
 *
 * @param calls how many calls it makes
 * @param users how many people make them, each waiting for the answer before the next call; with none, all calls are
 *     enqueued at once
 */
record Tenant(String name, int calls, int users) {
    static final int CALLS_MIN = 10;
    static final int CALLS_MAX = 10_000;

    /**
     * One tenant with a large backlog, one with some traffic, one with little. The backlog alone, with its 3 at once,
     * cannot use all that the provider allows, so it must not be left over at the end: on a slow machine it would be,
     * with many more than 60 of 100 calls.
     */
    static List<Tenant> share(int calls) {
        int initech = Math.max(1, calls / 10);
        int globex = Math.max(1, calls * 3 / 10);
        return List.of(
                new Tenant("acme", calls - globex - initech, 0),
                new Tenant("globex", globex, 3),
                new Tenant("initech", initech, 1));
    }

    String gate() {
        return "tenant:" + name;
    }
}
