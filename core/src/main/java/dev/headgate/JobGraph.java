package dev.headgate;

import dev.headgate.job.Unmet;
import dev.headgate.spi.JobTable.Inserted;
import dev.headgate.spi.Need;
import dev.headgate.spi.NewJob;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.StringJoiner;

/**
 * The jobs of one call with their children, in an order in which every job comes after the jobs it waits for. That way a
 * store numbers dependencies first, and a circle cannot even be written down.
 */
final class JobGraph {
    private final RequestContext context;
    private final List<JobRequest> members = new ArrayList<>();
    private final List<List<Tie>> ties = new ArrayList<>();
    private final Map<String, Integer> byName = new HashMap<>();
    private final List<Integer> roots = new ArrayList<>();

    /** That a member waits for another one. */
    private record Tie(int member, Unmet unmet, boolean isChild) {}

    /**
     * What to store.
     *
     * @param places where the jobs that were asked for stand among all
     */
    record Order(List<NewJob> jobs, List<Integer> places) {
        /** Of what was stored, the rows of the jobs that were asked for. */
        List<Inserted> asked(List<Inserted> rows) {
            return places.stream().map(rows::get).toList();
        }
    }

    private JobGraph(RequestContext context) {
        this.context = context;
    }

    /** @throws IllegalArgumentException that names the jobs of a cycle, or a name that no job of the call has */
    static Order of(RequestContext context, List<JobRequest> asked) {
        JobGraph family = new JobGraph(context);
        asked.forEach(job -> family.roots.add(family.join(job)));
        family.resolveNames();
        return family.order();
    }

    /** Children first, so that jobs which were said in a good order keep it. */
    private int join(JobRequest asked) {
        List<Tie> own = new ArrayList<>();
        for (JobRelations.Child child : asked.relations().children()) {
            JobRequest made =
                    child.job().apply(context).inheriting(asked.job().spec().attributes());
            own.add(new Tie(join(made), child.unmet(), true));
        }
        int member = members.size();
        if (member >= Enqueuer.BATCH_MAX) {
            throw new IllegalArgumentException(
                    "enqueue: expected at most %d jobs in one call, children included; split it"
                            .formatted(Enqueuer.BATCH_MAX));
        }
        members.add(asked);
        ties.add(own);
        String name = asked.relations().name();
        if (name != null && byName.put(name, member) != null) {
            throw new IllegalArgumentException(
                    "enqueue: expected one job called '%s' in a call, got two".formatted(name));
        }
        return member;
    }

    private void resolveNames() {
        for (int member = 0; member < members.size(); member++) {
            JobRequest asked = members.get(member);
            for (JobRelations.Mate mate : asked.relations().mates()) {
                Integer found = byName.get(mate.name());
                if (found == null) {
                    throw new IllegalArgumentException(
                            "%s waits for '%s': expected a job of the same call with as(\"%s\"), found none; for one that is there already give its number"
                                    .formatted(asked.label(), mate.name(), mate.name()));
                }
                ties.get(member).add(new Tie(found, mate.unmet(), false));
            }
        }
    }

    /** Takes the jobs that wait for no job that is left, in the order of the call. */
    private Order order() {
        int[] open = new int[members.size()];
        List<List<Integer>> waiting = new ArrayList<>();
        members.forEach(member -> waiting.add(new ArrayList<>()));
        PriorityQueue<Integer> free = new PriorityQueue<>();
        for (int member = 0; member < open.length; member++) {
            open[member] = ties.get(member).size();
            for (Tie tie : ties.get(member)) {
                waiting.get(tie.member()).add(member);
            }
            if (open[member] == 0) {
                free.add(member);
            }
        }
        List<NewJob> jobs = new ArrayList<>();
        Map<Integer, Integer> places = new HashMap<>();
        while (!free.isEmpty()) {
            int member = free.remove();
            places.put(member, jobs.size());
            jobs.add(withNeeds(member, places));
            for (int next : waiting.get(member)) {
                if (--open[next] == 0) {
                    free.add(next);
                }
            }
        }
        if (jobs.size() < members.size()) {
            throw new IllegalArgumentException(
                    "enqueue: these wait for each other in a circle, so none could ever start: " + circle(open));
        }
        return new Order(jobs, roots.stream().map(places::get).toList());
    }

    private NewJob withNeeds(int member, Map<Integer, Integer> places) {
        JobRequest asked = members.get(member);
        List<Need> needs = new ArrayList<>(asked.relations().needs());
        ties.get(member)
                .forEach(tie ->
                        needs.add(new Need.Mate(places.getOrDefault(tie.member(), -1), tie.unmet(), tie.isChild())));
        return needs.isEmpty()
                ? asked.job()
                : new NewJob(asked.job().spec(), asked.job().due(), needs);
    }

    /** Goes from a job that never got free to a job it waits for, until it meets one a second time. */
    private String circle(int[] open) {
        int at = 0;
        while (open[at] == 0) {
            at++;
        }
        Set<Integer> path = new LinkedHashSet<>();
        while (path.add(at)) {
            at = ties.get(at).stream()
                    .mapToInt(Tie::member)
                    .filter(member -> open[member] > 0)
                    .findFirst()
                    .orElseThrow();
        }
        StringJoiner text = new StringJoiner(" after ");
        int first = at;
        path.stream()
                .dropWhile(member -> member != first)
                .forEach(member -> text.add(members.get(member).label()));
        return text.add(members.get(first).label()).toString();
    }
}
