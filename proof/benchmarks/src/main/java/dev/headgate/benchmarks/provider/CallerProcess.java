package dev.headgate.benchmarks.provider;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A worker process: says {@code ready} when it works, and ends with its input. */
final class CallerProcess {
    private CallerProcess() {}

    /** Starts one; {@link Child#read} returns when it works. */
    static Child start(Cell cell, String url, int port, int slots) {
        List<String> arguments = new ArrayList<>(List.of(url, Integer.toString(port), Integer.toString(slots)));
        arguments.addAll(List.of(cell.words()));
        return Child.start(CallerProcess.class, List.of("-Xmx512m"), arguments);
    }

    public static void main(String[] args) throws Exception {
        try {
            Cell cell = Cell.of(Arrays.copyOfRange(args, 3, args.length));
            Caller caller = cell.approach().open(args[0], cell, Integer.parseInt(args[2]));
            caller.work(new Endpoint(Integer.parseInt(args[1])));
            System.out.println("ready");
            while (System.in.read() >= 0) {
                // until the parent closes our input
            }
        } catch (Throwable failed) {
            // The parent expects another word, and shows this one.
            System.out.println(failed);
        }
        // The store goes with it, and some leave threads behind that would keep the process.
        Runtime.getRuntime().halt(0);
    }
}
