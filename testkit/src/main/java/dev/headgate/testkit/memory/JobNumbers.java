package dev.headgate.testkit.memory;

/** Numbers of new jobs, and of the places of jobs that become due or free. */
final class JobNumbers {
    private final Journal journal;
    private long last;

    JobNumbers(Journal journal) {
        this.journal = journal;
    }

    long last() {
        return last;
    }

    long next() {
        long before = last;
        last++;
        journal.note(() -> last = before);
        return last;
    }
}
