package dev.headgate.cli.policies;

import dev.headgate.Headgate;
import dev.headgate.status.Overview;
import dev.headgate.status.Totals;
import picocli.CommandLine.Option;

/** How far a command counts jobs. */
public final class CountOptions {
    @Option(
            names = "--exact",
            description = "count all jobs, which takes seconds with millions; '10000+' stands for more if not given")
    private boolean isExact;

    /** The figures that stand beside it, counted as far. */
    public Totals totals(Headgate headgate) {
        return isExact ? headgate.demand().exactTotals() : headgate.demand().totals();
    }

    /** An overview that is counted that far. */
    public Overview read(Headgate headgate) {
        return isExact ? headgate.demand().exactOverview() : headgate.overview();
    }
}
