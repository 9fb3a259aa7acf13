package dev.headgate.internal.figure;

import dev.headgate.figure.FigureKind;
import dev.headgate.internal.admission.PolicyBook;
import dev.headgate.limit.GateKey;
import java.util.ArrayList;
import java.util.List;

/** Under which names a gate is counted: that of the policy that covers it, and its own if that is a pattern. */
final class GateNames {
    private final PolicyBook book;

    GateNames(PolicyBook book) {
        this.book = book;
    }

    long version() {
        return book.version();
    }

    /** The queue, the job type and the gates of a job, each with the gate's name for its cost; empty if it is none. */
    List<Counted> subjects(String queue, String type, List<String> gates) {
        List<Counted> all = new ArrayList<>(2 + 2 * gates.size());
        all.add(new Counted(new Subject(FigureKind.QUEUE, queue), ""));
        all.add(new Counted(new Subject(FigureKind.TYPE, type), ""));
        for (String gate : gates) {
            addGate(all, gate);
        }
        return all;
    }

    /** A subject, and the gate whose units count there. */
    record Counted(Subject subject, String gate) {}

    List<Subject> gate(String gate) {
        List<Counted> all = new ArrayList<>(2);
        addGate(all, gate);
        return all.stream().map(Counted::subject).toList();
    }

    private void addGate(List<Counted> all, String gate) {
        String name = nameOf(gate);
        all.add(new Counted(new Subject(FigureKind.GATE, name), gate));
        if (!name.equals(gate)) {
            all.add(new Counted(new Subject(FigureKind.KEY, gate), gate));
        }
    }

    /** A gate without a policy that is named like one of many, such as {@code tenant:7}, is counted with the others like it. */
    private String nameOf(String gate) {
        GateKey name = book.nameFor(GateKey.gate(gate));
        if (name != null) {
            return name.name();
        }
        int colon = gate.indexOf(':');
        return colon < 0 ? gate : gate.substring(0, colon + 1) + "*";
    }
}
