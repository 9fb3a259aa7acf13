/**
 * Jobs, gates, lanes, leases and workers. What is exported to everybody is the API; what is exported to our own modules
 * only, and {@code dev.headgate.internal}, may change with every version.
 */
// module: the modules that this one opens a part of itself to are compiled after it.
// requires-automatic: cron-utils has no descriptor; its automatic name stands in its manifest.
@SuppressWarnings({"module", "requires-automatic"})
module dev.headgate {
    requires com.cronutils;
    requires java.management;
    requires transitive java.net.http;
    requires jdk.management;
    requires static transitive org.jspecify;
    requires org.slf4j;
    requires tools.jackson.databind;

    exports dev.headgate;
    exports dev.headgate.event;
    exports dev.headgate.evidence;
    exports dev.headgate.explain;
    exports dev.headgate.figure;
    exports dev.headgate.handler;
    exports dev.headgate.job;
    exports dev.headgate.limit;
    exports dev.headgate.limiter;
    exports dev.headgate.machine;
    exports dev.headgate.policy;
    exports dev.headgate.resource;
    exports dev.headgate.run;
    exports dev.headgate.schedule;
    exports dev.headgate.simulate;
    exports dev.headgate.status;
    exports dev.headgate.store;
    exports dev.headgate.workflow;
    exports dev.headgate.spi to
            dev.headgate.jdbc,
            dev.headgate.postgres,
            dev.headgate.server,
            dev.headgate.sqlite,
            dev.headgate.testkit;
    exports dev.headgate.internal.access to
            dev.headgate.server;
    exports dev.headgate.internal.admission to
            dev.headgate.cli,
            dev.headgate.jdbc,
            dev.headgate.server,
            dev.headgate.testkit;
    exports dev.headgate.internal.enqueue to
            dev.headgate.server;
    exports dev.headgate.internal.job to
            dev.headgate.server,
            dev.headgate.testkit;
    exports dev.headgate.internal.json to
            dev.headgate.cli,
            dev.headgate.jdbc,
            dev.headgate.server;
    exports dev.headgate.internal.lease to
            dev.headgate.server,
            dev.headgate.testkit;
    exports dev.headgate.internal.limiter to
            dev.headgate.server;
    exports dev.headgate.internal.pool to
            dev.headgate.cli;
    exports dev.headgate.internal.query to
            dev.headgate.server;
    exports dev.headgate.internal.resource to
            dev.headgate.cli,
            dev.headgate.server,
            dev.headgate.testkit;
    exports dev.headgate.internal.run to
            dev.headgate.jdbc,
            dev.headgate.testkit;
    exports dev.headgate.internal.schedule to
            dev.headgate.testkit;
    exports dev.headgate.internal.text to
            dev.headgate.builtin,
            dev.headgate.cli,
            dev.headgate.jdbc,
            dev.headgate.server;
    exports dev.headgate.internal.worker to
            dev.headgate.testkit;
    exports dev.headgate.internal.time to
            dev.headgate.builtin,
            dev.headgate.cli,
            dev.headgate.jdbc,
            dev.headgate.postgres,
            dev.headgate.server,
            dev.headgate.sqlite,
            dev.headgate.testkit;

    // Jackson reads and writes what runs keep, by reflection.
    opens dev.headgate.internal.run to
            tools.jackson.databind;
    opens dev.headgate.workflow to
            tools.jackson.databind;

    uses dev.headgate.spi.StoreProvider;
}
