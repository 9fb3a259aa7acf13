package dev.headgate.cli.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * What handlers wrote down themselves, whatever the store says: lines {@code process,job,epoch,START|END} in the order
 * they happened, and {@code process,0,0,KILL} where a process died.
 */
final class HandlerHistory {
    private final Path file;

    HandlerHistory(Path file) {
        this.file = file;
    }

    private record Event(long process, long job, long epoch, String what) {}

    String file() {
        return file.toString();
    }

    void killed(long process) throws IOException {
        Files.writeString(file, "%d,0,0,KILL\n".formatted(process), StandardOpenOption.APPEND);
    }

    private List<Event> events() throws IOException {
        return Files.readAllLines(file).stream()
                .map(line -> line.split(",", -1))
                .map(part ->
                        new Event(Long.parseLong(part[0]), Long.parseLong(part[1]), Long.parseLong(part[2]), part[3]))
                .toList();
    }

    /** The most handlers that ran at once, for each group of jobs. */
    Map<String, Integer> peaks(Function<Long, String> groupOf) throws IOException {
        Map<String, Set<Event>> running = new HashMap<>();
        Map<String, Integer> peaks = new HashMap<>();
        for (Event event : events()) {
            if (event.what().equals("KILL")) {
                running.values().forEach(open -> open.removeIf(other -> other.process() == event.process()));
                continue;
            }
            String group = groupOf.apply(event.job());
            Set<Event> open = running.computeIfAbsent(group, name -> new HashSet<>());
            if (event.what().equals("START")) {
                open.add(event);
            } else {
                open.removeIf(other -> other.job() == event.job() && other.epoch() == event.epoch());
            }
            peaks.merge(group, open.size(), Math::max);
        }
        return peaks;
    }

    /** Jobs whose handler ran to its end, and how often. */
    Map<Long, Integer> ends() throws IOException {
        Map<Long, Integer> ends = new HashMap<>();
        events().stream()
                .filter(event -> event.what().equals("END"))
                .forEach(event -> ends.merge(event.job(), 1, Integer::sum));
        return ends;
    }

    long starts() throws IOException {
        return events().stream().filter(event -> event.what().equals("START")).count();
    }

    /** Jobs that this process began and did not end. */
    Set<Long> cutOff(long process) throws IOException {
        Set<Long> jobs = new HashSet<>();
        for (Event event : events()) {
            if (event.process() == process && event.what().equals("START")) {
                jobs.add(event.job());
            } else if (event.process() == process && event.what().equals("END")) {
                jobs.remove(event.job());
            }
        }
        return jobs;
    }
}
